import type { Clock } from '../../../ports/clock.js';
import { READER_LINGER_MS } from '../limits.js';
import { type Asked, ObjectBatch, type StoredObject } from './object-batch.js';

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
  #unwritten: (id: string) => StoredObject | undefined = () => undefined;
  #closed = false;
  #idleTimer: unknown;
  /** Something was asked since the timer was set. Setting it anew for each of thousands of reads takes as long as they do. */
  #isUsed = false;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Sets where to find objects that are not on disk yet. */
  setUnwritten(unwritten: (id: string) => StoredObject | undefined): void {
    this.#unwritten = unwritten;
  }

  async read(id: string): Promise<StoredObject | undefined> {
    return this.#unwritten(id) ?? this.#ask('contents', id);
  }

  /** The size of each object, in order; undefined for a missing one. */
  async sizes(ids: readonly string[]): Promise<(number | undefined)[]> {
    const unwritten = ids.map((id) => this.#unwritten(id)?.size); // first: they may be written while git answers
    const written = ids.filter((id, index) => unwritten[index] === undefined && isId(id));
    const answers = this.#closed ? [] : await this.#running(this.#isOldGit ? 'sizes' : 'both').sizes(written);
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
