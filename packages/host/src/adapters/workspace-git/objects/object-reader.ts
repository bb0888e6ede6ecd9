import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../../ports/clock.js';
import { requirePipes } from '../../../processes/require-pipes.js';
import { gitEnvironment, HARDENED_SETTINGS } from '../../shared/git/hardened.js';
import { READER_LINGER_MS } from '../limits.js';

/** An object in the store: a file's content (`blob`) or a folder's list of names (`tree`). */
export interface StoredObject {
  readonly type: string;
  readonly size: number;
  /** Empty if only the size was asked for. */
  readonly content: Buffer;
}

type Asked = 'contents' | 'sizes';

interface Writer {
  unwritten(id: string): StoredObject | undefined;
}

/**
 * Reads objects through a long-running git process: a review asks for thousands of them, and starting git takes longer
 * than reading one.
 */
export class ObjectReader {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #batches: { both?: ObjectBatch; contents?: ObjectBatch; sizes?: ObjectBatch } = {};
  /** Git before 2.36 needs one process for contents and one for sizes. */
  #isOldGit = false;
  #writer: Writer | undefined;
  #closed = false;
  #idleTimer: unknown;
  /** Something was asked since the timer was set. Setting it anew for each of thousands of reads takes as long as they do. */
  #isUsed = false;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Sets who has objects that are not on disk yet. */
  setWriter(writer: Writer): void {
    this.#writer = writer;
  }

  async read(id: string): Promise<StoredObject | undefined> {
    return this.#writer?.unwritten(id) ?? this.#ask('contents', id);
  }

  /** The size of each object, in order; undefined for a missing one. */
  async sizes(ids: readonly string[]): Promise<(number | undefined)[]> {
    const unwritten = ids.map((id) => this.#writer?.unwritten(id)?.size); // first: they may be written while git answers
    const written = ids.filter((id, index) => unwritten[index] === undefined && isId(id));
    const answers =
      this.#closed || written.length === 0 ? [] : await this.#running(this.#isOldGit ? 'sizes' : 'both').sizes(written);
    const sizes = new Map(written.map((id, index) => [id, answers[index]]));
    const missing = written.filter((id) => sizes.get(id) === undefined); // a new process may find them
    await Promise.all(missing.map(async (id) => sizes.set(id, (await this.#ask('sizes', id))?.size)));
    return ids.map((id, index) => unwritten[index] ?? sizes.get(id));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#endBatches();
  }

  #endIfUnused(): void {
    this.#idleTimer = undefined;
    if (this.#isUsed) this.#setIdleTimer();
    else void this.#endBatches();
  }

  #setIdleTimer(): void {
    this.#isUsed = false;
    this.#idleTimer = this.#clock.setTimeout(() => this.#endIfUnused(), READER_LINGER_MS);
  }

  /** Ends the idle process: a host that works in many folders has one for each. */
  async #endBatches(): Promise<void> {
    this.#clock.clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    const batches = Object.values(this.#batches);
    for (const kind of ['both', 'contents', 'sizes'] as const) delete this.#batches[kind];
    await Promise.all(batches.map((batch) => batch.close()));
  }

  async #ask(asked: Asked, id: string): Promise<StoredObject | undefined> {
    if (!isId(id) || this.#closed) return undefined;
    const kind = this.#isOldGit ? asked : 'both';
    const known = this.#batches[kind];
    const batch = this.#running(kind);
    const object = await batch.read(id, asked);
    if (object || this.#closed) return object;
    if (batch.isTooOld) {
      this.#isOldGit = true;
      return this.#ask(asked, id);
    }
    if (batch !== known) return undefined;
    // The process learned where objects are when it started. Only a new one finds a repository created since.
    if (this.#batches[kind] === batch) delete this.#batches[kind];
    void batch.close();
    return this.#running(kind).read(id, asked);
  }

  #running(kind: 'both' | Asked): ObjectBatch {
    if (this.#idleTimer === undefined) this.#setIdleTimer();
    else this.#isUsed = true;
    const known = this.#batches[kind];
    if (known && !known.ended) return known;
    const batch = new ObjectBatch(this.#directory, kind);
    this.#batches[kind] = batch;
    return batch;
  }
}

function isId(id: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(id);
}

interface Question {
  readonly asked: Asked;
  readonly answer: (object: StoredObject | undefined) => void;
}

const OPTIONS = {
  // Buffered: with thousands of answers, a write and a wake-up for each would cost more than the contents.
  both: ['--batch-command', '--buffer'],
  contents: ['--batch'],
  sizes: ['--batch-check'],
};

/** Git's exit code for an unknown option. */
const WRONG_USAGE = 129;

/** One `git cat-file` process. Questions that are open when it ends are answered with undefined. */
class ObjectBatch {
  readonly #takesCommands: boolean;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #gone: Promise<void>;
  #questions: Question[] = [];
  #answered = 0;
  #lines = '';
  #chunks: Buffer[] = [];
  #have = 0;
  /** Bytes needed for the next answer. Looking at each chunk would be in vain: a large content has thousands. */
  #need = 1;
  ended = false;
  /** The installed git is too old for `--batch-command`. */
  isTooOld = false;

  constructor(directory: string, kind: keyof typeof OPTIONS) {
    this.#takesCommands = kind === 'both';
    const args = [...HARDENED_SETTINGS, '--git-dir', directory, 'cat-file', ...OPTIONS[kind]];
    this.#process = requirePipes(spawn('git', args, { env: gitEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] }));
    this.#process.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#process.stdin.on('error', () => {}); // git ended; 'close' says how
    this.#process.on('error', () => this.#end());
    this.#gone = new Promise((resolve) => {
      this.#process.on('error', () => this.#process.pid === undefined && resolve());
      this.#process.on('close', () => resolve());
    });
    this.#process.on('close', (code) => {
      this.isTooOld = this.#takesCommands && code === WRONG_USAGE;
      this.#end();
    });
    this.#process.unref();
  }

  read(id: string, asked: Asked): Promise<StoredObject | undefined> {
    return new Promise((answer) => this.#ask(id, { asked, answer }));
  }

  /** The size of each object, in order. One promise for all: thousands would cost more than the answers. */
  sizes(ids: readonly string[]): Promise<(number | undefined)[]> {
    return new Promise((resolve) => {
      const sizes: (number | undefined)[] = [];
      const answer = (object: StoredObject | undefined) => {
        if (sizes.push(object?.size) === ids.length) resolve(sizes);
      };
      const question: Question = { asked: 'sizes', answer };
      for (const id of ids) this.#ask(id, question);
      if (ids.length === 0) resolve(sizes);
    });
  }

  #ask(id: string, question: Question): void {
    if (this.ended) {
      question.answer(undefined);
      return;
    }
    this.#questions.push(question);
    if (this.#lines === '') queueMicrotask(() => this.#write());
    const command = question.asked === 'contents' ? 'contents ' : 'info ';
    this.#lines += `${this.#takesCommands ? command : ''}${id}\n`;
  }

  /** Resolves when the process is gone. */
  close(): Promise<void> {
    this.#write();
    this.#process.stdin.end();
    this.#process.ref();
    return this.#gone;
  }

  /** Sends all questions of this tick in one write. */
  #write(): void {
    if (this.#lines !== '' && !this.ended)
      this.#process.stdin.write(this.#takesCommands ? `${this.#lines}flush\n` : this.#lines);
    this.#lines = '';
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return;
    const rest = this.#answer(this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks));
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#have = rest.length;
  }

  /** Answers come in the order of the questions: `<id> blob <size>`, the bytes and a line end, or `<id> missing`. */
  #answer(bytes: Buffer): Buffer {
    let at = 0;
    for (let line = bytes.indexOf(0x0a); line >= 0; line = bytes.indexOf(0x0a, at)) {
      const [, type = '', size] = bytes.toString('latin1', at, line).split(' ');
      const withContent = size !== undefined && this.#questions[this.#answered]?.asked === 'contents';
      const end = withContent ? line + 1 + Number(size) : line;
      if (end >= bytes.length) {
        this.#need = end + 1 - at;
        return bytes.subarray(at);
      }
      const content = withContent ? Buffer.from(bytes.subarray(line + 1, end)) : NO_CONTENT;
      this.#next()?.answer(size === undefined ? undefined : { type, size: Number(size), content });
      at = end + 1;
    }
    this.#need = bytes.length - at + 1;
    return bytes.subarray(at);
  }

  #end(): void {
    this.ended = true;
    for (let question = this.#next(); question; question = this.#next()) question.answer(undefined);
  }

  /** The oldest open question. `shift` would move thousands each time. */
  #next(): Question | undefined {
    const question = this.#questions[this.#answered++];
    if (this.#answered < this.#questions.length) return question;
    this.#questions = [];
    this.#answered = 0;
    return question;
  }
}

const NO_CONTENT = Buffer.alloc(0);
