import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { gitEnvironment } from './git.js';

type Answer = (content: Buffer | undefined) => void;

/** Reads contents through one git process that stays: a review asks for thousands, and starting git costs more than one. */
export class BlobReader {
  readonly #directory: string;
  readonly #waiting: Answer[] = [];
  #process: ChildProcessWithoutNullStreams | undefined;
  #pending: Buffer = Buffer.alloc(0);

  constructor(directory: string) {
    this.#directory = directory;
  }

  read(id: string): Promise<Buffer | undefined> {
    if (!/^[0-9a-f]{40,64}$/.test(id)) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#started().stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#process?.stdin.end();
  }

  #started(): ChildProcessWithoutNullStreams {
    if (this.#process) return this.#process;
    const child = spawn('git', ['--git-dir', this.#directory, 'cat-file', '--batch'], { env: gitEnvironment() });
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stdin.on('error', () => {});
    child.on('error', () => this.#ended());
    child.on('close', () => this.#ended());
    child.unref();
    this.#process = child;
    return child;
  }

  /** Answers come in the order of the questions: `<id> blob <size>`, the bytes, a line end; or `<id> missing`. */
  #take(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (let line = this.#pending.indexOf(0x0a); line >= 0; line = this.#pending.indexOf(0x0a)) {
      const [, type, size] = this.#pending.subarray(0, line).toString().split(' ');
      if (type === 'missing' || size === undefined) {
        this.#pending = this.#pending.subarray(line + 1);
        this.#waiting.shift()?.(undefined);
        continue;
      }
      const end = line + 1 + Number(size);
      if (this.#pending.length < end + 1) return;
      this.#waiting.shift()?.(Buffer.from(this.#pending.subarray(line + 1, end)));
      this.#pending = this.#pending.subarray(end + 1);
    }
  }

  #ended(): void {
    this.#process = undefined;
    this.#pending = Buffer.alloc(0);
    for (const answer of this.#waiting.splice(0)) answer(undefined);
  }
}
