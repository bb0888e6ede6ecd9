import type { Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpError } from '../../ports/mcp.js';
import type { ProcessGroup } from '../../processes/process-group.js';
import { encodeLines, LineReader } from '../shared/ndjson/lines.js';
import { END_GRACE_MS, MAX_MESSAGE_BYTES, TERM_GRACE_MS } from './limits.js';
import { describeEnd } from './server-process.js';

/** Exchanges messages as lines with a server's process. Closing the transport ends the process and its group. */
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
    const abort = (reason: string) => {
      this.fault = reason;
      this.#process.kill();
    };
    const lines = new LineReader(
      MAX_MESSAGE_BYTES,
      (line) => this.#receive(line),
      () => abort('it sent a message that is too large or not text'),
    );
    this.#process.output.on('data', (chunk: Buffer) => lines.push(chunk));
    void this.#process.ended.then((end) => {
      this.fault ??= describeEnd(end);
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#process;
    if (!input.writable) throw new McpError({ kind: 'closed' }, 'The server has ended.');
    if (!input.write(encodeLines([JSON.stringify(message)]))) await untilDrained(input);
  }

  close(): Promise<void> {
    return this.#process.stop({ askAfterMs: END_GRACE_MS, killAfterMs: TERM_GRACE_MS });
  }

  /** Skips lines that are not messages: some servers print other text to standard output as well. */
  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      return;
    }
    this.onmessage?.(message);
  }
}

/** Resolves when the stream has drained or closed. */
function untilDrained(input: Writable): Promise<void> {
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
