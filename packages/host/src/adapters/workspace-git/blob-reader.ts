import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { gitEnvironment } from './git.js';

type Answer = (content: Buffer | undefined) => void;

/** Reads contents through one git process that stays: a review asks for thousands, and starting git costs more than one. */
export class BlobReader {
  readonly #directory: string;
  #batch: Batch | undefined;
  #closed = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(id: string): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{40,64}$/.test(id)) return undefined;
    const known = this.#batch;
    const batch = this.#running();
    const content = await batch.read(id);
    if (content || batch !== known || this.#closed) return content;
    // It learned where objects lie when it started; a repository that was made since is known to a new one only.
    if (this.#batch === batch) this.#batch = undefined;
    batch.close();
    return this.#running().read(id);
  }

  close(): void {
    this.#closed = true;
    this.#batch?.close();
  }

  #running(): Batch {
    if (!this.#batch || this.#batch.ended) this.#batch = new Batch(this.#directory);
    return this.#batch;
  }
}

/** One process. What it did not answer before it ended is not there. */
class Batch {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: Answer[] = [];
  #chunks: Buffer[] = [];
  #have = 0;
  /** Bytes before which looking at the chunks is in vain: a large content comes in thousands of them. */
  #need = 1;
  ended = false;

  constructor(directory: string) {
    this.#process = spawn('git', ['--git-dir', directory, 'cat-file', '--batch'], {
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#process.stdin.on('error', () => this.#end());
    this.#process.on('error', () => this.#end());
    this.#process.on('close', () => this.#end());
    this.#process.unref();
  }

  read(id: string): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#process.stdin.end();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return;
    const rest = this.#answer(Buffer.concat(this.#chunks));
    this.#chunks = [rest];
    this.#have = rest.length;
  }

  /** Answers come in the order of the questions: `<id> blob <size>`, the bytes, a line end; or `<id> missing`. */
  #answer(bytes: Buffer): Buffer {
    let at = 0;
    for (let line = bytes.indexOf(0x0a); line >= 0; line = bytes.indexOf(0x0a, at)) {
      const [, , size] = bytes.subarray(at, line).toString().split(' ');
      const end = size === undefined ? line : line + 1 + Number(size);
      if (end >= bytes.length) {
        this.#need = end + 1 - at;
        return bytes.subarray(at);
      }
      this.#waiting.shift()?.(size === undefined ? undefined : Buffer.from(bytes.subarray(line + 1, end)));
      at = end + 1;
    }
    this.#need = bytes.length - at + 1;
    return bytes.subarray(at);
  }

  #end(): void {
    this.ended = true;
    for (const answer of this.#waiting.splice(0)) answer(undefined);
  }
}
