import type { Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpError } from '../../ports/mcp.js';
import type { ProcessGroup } from '../../processes/process-group.js';
import { encodeLines, LineReader } from '../shared/ndjson/lines.js';
import { END_GRACE_MS, MAX_MESSAGE_BYTES, TERM_GRACE_MS } from './limits.js';
import { wordsFor } from './server-process.js';

/** Messages as lines on the standard streams of a server's process. Closing it ends the process with its group. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended. */
  fault: string | undefined;
  readonly #process: ProcessGroup;

  constructor(process: ProcessGroup) {
    this.#process = process;
  }

  async start(): Promise<void> {
    const distrust = (reason: string) => {
      this.fault = reason;
      this.#process.kill();
    };
    const lines = new LineReader(
      MAX_MESSAGE_BYTES,
      (line) => this.#hear(line),
      () => distrust('it sent a message that is too large or no text'),
    );
    this.#process.output.on('data', (chunk: Buffer) => lines.push(chunk));
    void this.#process.ended.then((end) => {
      this.fault ??= wordsFor(end);
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#process;
    if (!input.writable) throw new McpError({ kind: 'closed' }, 'The server has ended.');
    if (!input.write(encodeLines([JSON.stringify(message)]))) await untilTaken(input);
  }

  close(): Promise<void> {
    return this.#process.stop({ askAfterMs: END_GRACE_MS, killAfterMs: TERM_GRACE_MS });
  }

  /** Some servers print other things there as well, which are passed over. */
  #hear(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      return;
    }
    this.onmessage?.(message);
  }
}

/** Resolves when what was written is on its way, or nobody will ever read it; listens no longer than that. */
function untilTaken(input: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      input.off('drain', done);
      input.off('close', done);
      resolve();
    };
    input.on('drain', done);
    input.on('close', done);
  });
}
