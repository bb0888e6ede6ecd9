import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpError } from '../../ports/mcp.js';
import { encodeLines, LineReader } from '../shared/ndjson/lines.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import type { ServerProcess } from './server-process.js';

/** Messages as lines on the standard streams of a server's process. Closing it ends the process with its group. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended. */
  fault: string | undefined;
  readonly #process: ServerProcess;

  constructor(process: ServerProcess) {
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
    void this.#process.ended.then((how) => {
      this.fault ??= how;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#process;
    if (!input.writable) throw new McpError({ kind: 'closed' }, 'The server has ended.');
    if (input.write(encodeLines([JSON.stringify(message)]))) return;
    await new Promise<void>((resolve) => {
      input.once('drain', resolve);
      input.once('close', resolve);
    });
  }

  close(): Promise<void> {
    return this.#process.stop();
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
