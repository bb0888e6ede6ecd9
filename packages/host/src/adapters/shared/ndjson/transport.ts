import type { Readable, Writable } from 'node:stream';
import { CloseCodes } from '@ahpd/protocol';
import type { Log } from '../../../ports/index.js';
import { Connection, type Timers } from '../transport/connection.js';
import type { LineLimits } from './limits.js';
import { encodeLines, LineReader } from './lines.js';

export interface LineTransportOptions {
  readonly input: Readable;
  /** May be the same stream as the input. */
  readonly output: Writable;
  readonly limits: LineLimits;
  readonly timers: Timers;
  readonly log: Log;
}

export interface LineTransport {
  readonly connection: Connection;
  /** Cuts both streams at once. */
  destroy(): void;
}

/** A connection over byte streams that carries one JSON text per line. The end of the input is its close. */
export function createLineTransport(options: LineTransportOptions): LineTransport {
  const { input, output, limits, timers, log } = options;
  const oneSocket = Object.is(input, output);
  let grace: unknown;
  let destroyed = false;

  const destroy = () => {
    if (destroyed) return; // process.stdout comes back to life and says 'close' each time it is destroyed
    destroyed = true;
    timers.clearTimeout(grace);
    input.destroy();
    output.destroy();
  };
  // A peer that does not read keeps what we sent in our memory; it gets a moment, not for ever.
  const end = () => {
    grace = timers.setTimeout(destroy, limits.closeGraceMs);
    // A socket still waits for the other side's end, so that it reads all; of two streams the input has no such end.
    output.end(oneSocket ? undefined : destroy);
    input.resume();
  };

  const wire = {
    output,
    encode: encodeLines,
    get writable() {
      return output.writable;
    },
    end,
  };
  const connection = new Connection(wire, log);
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
    // A broken pipe is one client's end, not the host's: an 'error' nobody listens to would end the process.
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
