import type { Readable, Writable } from 'node:stream';
import { CloseCodes } from '@moorage/protocol';
import type { Log } from '../../../ports/index.js';
import { type Timers, WireTransport } from '../transport/wire-transport.js';
import type { LineLimits } from './limits.js';
import { encodeLines, LINE_IN_PIECES, LineReader } from './lines.js';

export interface LineTransportOptions {
  readonly input: Readable;
  /** May be the same stream as the input. */
  readonly output: Writable;
  readonly limits: LineLimits;
  readonly timers: Timers;
  readonly log: Log;
}

export interface LineTransport {
  readonly connection: WireTransport;
  /** Destroys both streams at once. */
  destroy(): void;
}

/** A connection over byte streams with one JSON text per line. It closes when the input ends. */
export function createLineTransport(options: LineTransportOptions): LineTransport {
  const { input, output, limits, timers, log } = options;
  const oneSocket = Object.is(input, output);
  let grace: unknown;
  let destroyed = false;

  const destroy = () => {
    if (destroyed) return; // process.stdout emits 'close' every time it is destroyed
    destroyed = true;
    timers.clearTimeout(grace);
    input.destroy();
    output.destroy();
  };
  // Output that the peer does not read stays in memory, so the peer gets only a limited time.
  const end = () => {
    grace = timers.setTimeout(destroy, limits.closeGraceMs);
    // A socket waits for the peer to end its side too, so that the peer can read everything. Separate streams cannot wait.
    output.end(oneSocket ? undefined : destroy);
    input.resume();
  };

  const wire = {
    output,
    encode: encodeLines,
    inPieces: () => LINE_IN_PIECES,
    get writable() {
      return output.writable;
    },
    end,
  };
  const connection = new WireTransport(wire, log);
  const reader = new LineReader(
    limits.maxLineBytes,
    (line) => connection.received(line),
    (code, reason) => connection.close(code, reason),
  );

  input.on('data', (chunk: Buffer) => {
    if (!connection.closed) reader.push(chunk);
  });
  input.on('end', () => connection.close());
  for (const stream of new Set([input, output])) {
    // A broken pipe must end only this client. Without a listener, 'error' would end the process.
    stream.on('error', () => {
      connection.ended({ code: CloseCodes.Abnormal });
      destroy();
    });
    stream.on('close', () => {
      connection.ended({ code: CloseCodes.Abnormal });
      destroy();
    });
  }
  return { connection, destroy };
}
