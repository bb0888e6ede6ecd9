import { hash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Clock } from '../../ports/clock.js';
import type { Scratch } from '../shared/git/scratch.js';
import type { StoredObject } from './object-batch.js';
import { ownBytes } from './own-bytes.js';
import { Recent } from './recent.js';

/** Level 1: an edit must be stored before it is shown, and what is kept is packed better later. */
const QUICK = { level: 1 };

/** Bytes of contents that stay in memory after they were written, and of one: what was just edited is compared next. */
const MAX_REMEMBERED_BYTES = 4 * 1024 * 1024;
const MAX_REMEMBERED_FILE_BYTES = 256 * 1024;

/** What a content takes besides its bytes. */
const CONTENT_OVERHEAD_BYTES = 256;

/** Objects that wait to be written, and their bytes: a burst of edits, and no more memory than a few large files take. */
const MAX_PENDING = 500;
const MAX_PENDING_BYTES = 16 * 1024 * 1024;

/** Milliseconds until what waits is written: after an edit has been shown, and soon enough to survive most crashes. */
const PENDING_MS = 1_000;

/** Objects of which it is remembered that they have reached the disk. */
const MAX_SYNCED = 20_000;

/** Objects that are written before others get their turn. */
const WRITTEN_AT_ONCE = 4;

/**
 * Writes single objects into a store of git's without starting git; many at once are better packed by git. An object is
 * known at once and written a moment later: making a file takes longer than all else that an edit costs, and most states
 * of a folder are compared once and never asked for again.
 */
export class ObjectWriter {
  readonly #recent = new Recent<string, Buffer>(MAX_REMEMBERED_BYTES, ({ length }) => length + CONTENT_OVERHEAD_BYTES);
  readonly #pending = new Map<string, PendingObject>();
  readonly #synced = new Recent<string, true>(MAX_SYNCED);
  readonly #objects: string;
  readonly #algorithm: string;
  readonly #clock: Clock;
  readonly #scratch: Scratch;
  #pendingBytes = 0;
  #timer: unknown;
  #loose = 0;

  constructor(directory: string, objectFormat: string, clock: Clock, scratch: Scratch) {
    this.#scratch = scratch;
    this.#objects = join(directory, 'objects');
    this.#algorithm = objectFormat;
    this.#clock = clock;
  }

  /** It is on disk with the next `flush`, or in a moment. */
  write(type: 'blob' | 'tree', bytes: Buffer): string {
    const header = Buffer.from(`${type} ${bytes.length}\0`);
    const whole = Buffer.concat([header, bytes]);
    const content = whole.subarray(header.length);
    const id = hash(this.#algorithm, whole);
    if (type === 'blob') this.remember(id, bytes);
    if (this.#pending.has(id)) return id;
    this.#pending.set(id, { type, whole, content });
    this.#pendingBytes += content.length;
    if (this.#pending.size > MAX_PENDING || this.#pendingBytes > MAX_PENDING_BYTES) this.flush();
    else this.#timer ??= this.#clock.setTimeout(() => this.#writeSome(), PENDING_MS);
    return id;
  }

  /** Objects that were made a file each of since they were packed last. */
  get loose(): number {
    return this.#loose;
  }

  /** Git has made some as well. */
  addLoose(count: number): void {
    this.#loose += count;
  }

  packed(): void {
    this.#loose = 0;
  }

  /** A content that was written or compared lately. */
  remembered(id: string): Buffer | undefined {
    return this.#recent.get(id);
  }

  remember(id: string, content: Buffer): void {
    if (content.length <= MAX_REMEMBERED_FILE_BYTES) this.#recent.set(id, ownBytes(content));
  }

  /** What git does not know of yet. */
  unwritten(id: string): StoredObject | undefined {
    const pending = this.#pending.get(id);
    return pending && { type: pending.type, size: pending.content.length, content: pending.content };
  }

  /** Whether it was written here, or is about to be. Of what has been packed since, it may not know any more. */
  has(id: string): boolean {
    return this.#pending.has(id) || this.#synced.get(id) === true || isWritten(this.#pathOf(id));
  }

  /** Writes all that waits and resolves when these objects would survive a power failure. */
  async sync(ids: readonly string[]): Promise<void> {
    this.flush();
    for (const id of ids) {
      if (this.#synced.get(id)) continue;
      const file = await open(this.#pathOf(id));
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      this.#synced.set(id, true);
    }
  }

  /** Writes all that waits, so that git and a later life of the host know it. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const id of [...this.#pending.keys()]) this.#store(id);
  }

  #writeSome(): void {
    this.#timer = undefined;
    try {
      for (const id of [...this.#pending.keys()].slice(0, WRITTEN_AT_ONCE)) this.#store(id);
    } catch {
      return; // a full disk, most likely; the next flush, which somebody waits for, says so
    }
    if (this.#pending.size > 0) this.#timer = this.#clock.setTimeout(() => this.#writeSome(), 0);
  }

  #store(id: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    const { whole, content } = pending;
    const path = this.#pathOf(id);
    if (!isWritten(path)) {
      const temporary = this.#scratch.newFile();
      try {
        writeFileSync(temporary, deflateSync(whole, QUICK), { mode: 0o444 });
        moveInto(path, temporary);
      } catch (error) {
        rmSync(temporary, { force: true }); // a disk that is full would be kept full
        throw error;
      }
      this.#loose++;
    }
    this.#pending.delete(id);
    this.#pendingBytes -= content.length;
  }

  #pathOf(id: string): string {
    return join(this.#objects, id.slice(0, 2), id.slice(2));
  }
}

/** The folder may not be there yet, and git removes it when what was in it was packed: then it is made, and once more if need be. */
function moveInto(path: string, from: string, attempts = 3): void {
  try {
    renameSync(from, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 0) throw error;
    mkdirSync(dirname(path), { recursive: true });
    moveInto(path, from, attempts - 1);
  }
}

/** A file that is empty is what a power failure left of one. */
function isWritten(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

interface PendingObject {
  readonly type: 'blob' | 'tree';
  /** The content after git's header, as it is hashed and stored. */
  readonly whole: Buffer;
  readonly content: Buffer;
}
