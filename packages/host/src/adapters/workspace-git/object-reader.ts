import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { gitEnvironment } from '../shared/git/git.js';

/** What the store keeps under an id: a content (`blob`), or a list of names (`tree`). */
export interface StoredObject {
  readonly type: string;
  readonly size: number;
  /** Empty where only the size was asked for. */
  readonly content: Buffer;
}

type Answer = (object: StoredObject | undefined) => void;

/** Reads objects through one git process that stays: a review asks for thousands, and starting git costs more than one. */
export class ObjectReader {
  readonly #directory: string;
  readonly #batches: { contents?: Batch; sizes?: Batch } = {};
  #unwritten: (id: string) => StoredObject | undefined = () => undefined;
  #closed = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Objects that are known and not on disk yet. */
  setUnwritten(unwritten: (id: string) => StoredObject | undefined): void {
    this.#unwritten = unwritten;
  }

  async read(id: string): Promise<StoredObject | undefined> {
    return this.#unwritten(id) ?? this.#ask('contents', id);
  }

  /** Bytes of a content; undefined when there is none. */
  async size(id: string): Promise<number | undefined> {
    return (this.#unwritten(id) ?? (await this.#ask('sizes', id)))?.size;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(Object.values(this.#batches).map((batch) => batch.close()));
  }

  async #ask(what: 'contents' | 'sizes', id: string): Promise<StoredObject | undefined> {
    if (!/^[0-9a-f]{40,64}$/.test(id) || this.#closed) return undefined;
    const known = this.#batches[what];
    const batch = this.#running(what);
    const object = await batch.read(id);
    if (object || batch !== known || this.#closed) return object;
    // It learned where objects lie when it started; a repository that was made since is known to a new one only.
    if (this.#batches[what] === batch) delete this.#batches[what];
    void batch.close();
    return this.#running(what).read(id);
  }

  #running(what: 'contents' | 'sizes'): Batch {
    const known = this.#batches[what];
    if (known && !known.ended) return known;
    const batch = new Batch(this.#directory, what === 'contents');
    this.#batches[what] = batch;
    return batch;
  }
}

/** One process. What it did not answer before it ended is not there. */
class Batch {
  readonly #withContents: boolean;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #gone: Promise<void>;
  readonly #waiting: Answer[] = [];
  #questions = '';
  #chunks: Buffer[] = [];
  #have = 0;
  /** Bytes before which looking at the chunks is in vain: a large content comes in thousands of them. */
  #need = 1;
  ended = false;

  constructor(directory: string, withContents: boolean) {
    this.#withContents = withContents;
    const how = withContents ? '--batch' : '--batch-check';
    this.#process = spawn('git', ['--git-dir', directory, 'cat-file', how], {
      env: gitEnvironment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#process.stdin.on('error', () => this.#end());
    this.#process.on('error', () => this.#end());
    this.#gone = new Promise((resolve) => {
      this.#process.on('error', () => this.#process.pid === undefined && resolve());
      this.#process.on('close', () => resolve());
    });
    this.#process.on('close', () => this.#end());
    this.#process.unref();
  }

  read(id: string): Promise<StoredObject | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#questions === '') queueMicrotask(() => this.#write());
      this.#questions += `${id}\n`;
    });
  }

  /** Resolves when the process is gone. */
  close(): Promise<void> {
    this.#write();
    this.#process.stdin.end();
    this.#process.ref();
    return this.#gone;
  }

  /** All questions of a moment at once. */
  #write(): void {
    if (this.#questions !== '' && !this.ended) this.#process.stdin.write(this.#questions);
    this.#questions = '';
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
      const [, type = '', size] = bytes.subarray(at, line).toString().split(' ');
      const end = size === undefined || !this.#withContents ? line : line + 1 + Number(size);
      if (end >= bytes.length) {
        this.#need = end + 1 - at;
        return bytes.subarray(at);
      }
      const content = Buffer.from(bytes.subarray(line + 1, end));
      this.#waiting.shift()?.(size === undefined ? undefined : { type, size: Number(size), content });
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
