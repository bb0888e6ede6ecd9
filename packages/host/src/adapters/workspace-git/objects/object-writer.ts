import { hash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Clock } from '../../../ports/clock.js';
import type { Scratch } from '../../shared/git/scratch.js';
import { BULK_FILES } from '../limits.js';
import type { StoredObject } from './object-reader.js';
import { packFile } from './pack-file.js';
import { ownBytes, Recent } from './recent.js';

/** Level 1, for speed: an edit is stored before it is shown. What is kept is packed better later. */
const QUICK = 1;

/** Bytes of written contents that stay in memory, in all and for one file: what was just edited is compared next. */
const MAX_REMEMBERED_BYTES = 4 * 1024 * 1024;
const MAX_REMEMBERED_FILE_BYTES = 256 * 1024;

/** Memory that a content takes besides its bytes. */
const CONTENT_OVERHEAD_BYTES = 256;

/** Objects that may wait to be written, and their bytes: a burst of edits, in the memory of a few large files. */
const MAX_PENDING = 3_000;
const MAX_PENDING_BYTES = 16 * 1024 * 1024;

/** Milliseconds until pending objects are written: after an edit is shown, and soon enough to survive most crashes. */
const PENDING_MS = 1_000;

/** Objects that are remembered as synced to the disk, or with the pack that they are in. */
const MAX_SYNCED = 20_000;
const MAX_PACKED = 20_000;

/** Objects that are written before other work of the host gets its turn. */
const WRITTEN_AT_ONCE = 4;

/**
 * Writes objects into a git store without starting git: a few as single files, many as one pack. An object can be read
 * at once but is written a moment later: creating its file takes longer than everything else about an edit, and most
 * states of a folder are compared once and never needed again.
 */
export class ObjectWriter {
  readonly #recent = new Recent<string, Buffer>(MAX_REMEMBERED_BYTES, ({ length }) => length + CONTENT_OVERHEAD_BYTES);
  readonly #pending = new Map<string, PendingObject>();
  readonly #synced = new Recent<string, true>(MAX_SYNCED);
  /** The packs that this writer made, by the ids of their objects, without extension. */
  readonly #packs = new Recent<string, string>(MAX_PACKED);
  readonly #objects: string;
  readonly #algorithm: string;
  readonly #clock: Clock;
  readonly #scratch: Scratch;
  #pendingBytes = 0;
  #timer: unknown;
  #loose = 0;
  #newPacks = 0;

  constructor(directory: string, objectFormat: string, clock: Clock, scratch: Scratch) {
    this.#scratch = scratch;
    this.#objects = join(directory, 'objects');
    this.#algorithm = objectFormat;
    this.#clock = clock;
  }

  /** The object is on disk after the next `flush`, or a moment later. */
  write(type: 'blob' | 'tree', bytes: Buffer): string {
    const header = Buffer.from(`${type} ${bytes.length}\0`);
    const whole = Buffer.concat([header, bytes]);
    const content = whole.subarray(header.length);
    const id = hash(this.#algorithm, whole);
    if (type === 'blob') this.remember(id, bytes);
    if (this.#pending.has(id) || this.#isPacked(id)) return id;
    this.#pending.set(id, { type, whole, content });
    this.#pendingBytes += content.length;
    if (this.#pending.size > MAX_PENDING || this.#pendingBytes > MAX_PENDING_BYTES) this.flush();
    else this.#timer ??= this.#clock.setTimeout(() => this.#writeSome(), PENDING_MS);
    return id;
  }

  /** Loose objects (a file each) written since the last packing. */
  get loose(): number {
    return this.#loose;
  }

  /** Packs written since the last packing. */
  get packs(): number {
    return this.#newPacks;
  }

  /** Counts loose objects that git wrote. */
  addLoose(count: number): void {
    this.#loose += count;
  }

  packed(): void {
    this.#loose = 0;
    this.#newPacks = 0;
  }

  /** A content that was recently written or compared. */
  remembered(id: string): Buffer | undefined {
    return this.#recent.get(id);
  }

  remember(id: string, content: Buffer): void {
    if (content.length <= MAX_REMEMBERED_FILE_BYTES) this.#recent.set(id, ownBytes(content));
  }

  /** An object that is not on disk yet, so git cannot find it. */
  unwritten(id: string): StoredObject | undefined {
    const pending = this.#pending.get(id);
    return pending && { type: pending.type, size: pending.content.length, content: pending.content };
  }

  /** Whether this store has the object, or is about to. May be false for one that has been packed. */
  has(id: string): boolean {
    return this.#pending.has(id) || this.#synced.get(id) === true || this.#isPacked(id) || isWritten(this.#pathOf(id));
  }

  /** Writes all pending objects; resolves when the given ones would survive a power failure. */
  async sync(ids: readonly string[]): Promise<void> {
    this.flush();
    const others = ids.filter((id) => !this.#synced.get(id));
    const files = new Set(others.flatMap((id) => this.#filesWith(id)));
    if (files.size > 0) for (const path of [...files, ...foldersOf(files), this.#objects]) await syncToDisk(path);
    for (const id of others) this.#synced.set(id, true);
  }

  #filesWith(id: string): string[] {
    const pack = this.#packs.get(id);
    return pack === undefined ? [this.#pathOf(id)] : [`${pack}.pack`, `${pack}.idx`];
  }

  /** Writes all pending objects, so that git finds them, also after a restart of the host. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size > BULK_FILES) this.#pack();
    else for (const id of [...this.#pending.keys()]) this.#store(id);
  }

  #writeSome(): void {
    this.#timer = undefined;
    try {
      if (this.#pending.size > BULK_FILES) this.#pack();
      else for (const id of [...this.#pending.keys()].slice(0, WRITTEN_AT_ONCE)) this.#store(id);
    } catch {
      return; // most likely a full disk; the next flush has a caller who hears of it
    }
    if (this.#pending.size > 0) this.#timer = this.#clock.setTimeout(() => this.#writeSome(), 0);
  }

  #store(id: string): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    const { whole, content } = pending;
    const path = this.#pathOf(id);
    if (!isWritten(path)) {
      this.#writeFile(path, deflateSync(whole, { level: QUICK }));
      this.#loose++;
    }
    this.#pending.delete(id);
    this.#pendingBytes -= content.length;
  }

  /** Writes all pending objects as one pack. Git uses it once its index is there. */
  #pack(): void {
    const objects = [...this.#pending].map(([id, { type, content }]) => ({ id, type, content }));
    const { name, pack, index } = packFile(objects, this.#algorithm, QUICK);
    const path = join(this.#objects, 'pack', name);
    this.#writeFile(`${path}.pack`, pack);
    this.#writeFile(`${path}.idx`, index);
    for (const { id } of objects) this.#packs.set(id, path);
    this.#newPacks++;
    this.#pending.clear();
    this.#pendingBytes = 0;
  }

  #isPacked(id: string): boolean {
    const pack = this.#packs.get(id);
    return pack !== undefined && isWritten(`${pack}.idx`);
  }

  #writeFile(path: string, bytes: Buffer): void {
    const temporary = this.#scratch.newFile();
    try {
      writeFileSync(temporary, bytes, { mode: 0o444 });
      moveInto(path, temporary);
    } catch (error) {
      rmSync(temporary, { force: true }); // on a full disk it would keep taking room
      throw error;
    }
  }

  #pathOf(id: string): string {
    return join(this.#objects, id.slice(0, 2), id.slice(2));
  }
}

/** Creates the folder if needed. Git removes it once its objects are packed, maybe right now; hence the retries. */
function moveInto(path: string, from: string, attempts = 3): void {
  try {
    renameSync(from, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 0) throw error;
    mkdirSync(dirname(path), { recursive: true });
    moveInto(path, from, attempts - 1);
  }
}

/** A file survives a power failure with the folder that has its name, and that one with its own. */
function foldersOf(files: ReadonlySet<string>): Set<string> {
  return new Set([...files].map(dirname));
}

export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** An empty file does not count: it is what a power failure left of an object. */
function isWritten(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

interface PendingObject {
  readonly type: 'blob' | 'tree';
  /** Git's header and the content, as hashed and stored. */
  readonly whole: Buffer;
  readonly content: Buffer;
}
