import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, REGULAR, SYMLINK } from '../../../ports/file-modes.js';
import { MAX_READ_BYTES, MAX_READ_PATHS } from '../limits.js';
import type { ObjectWriter } from '../objects/object-writer.js';
import type { TreeEntry } from './trees.js';

/** What is at a path, and its size in bytes. */
export interface PathStat {
  readonly is: 'nothing' | 'folder' | FileKind;
  readonly size: number;
}

type FileKind = 'file' | 'executable' | 'link';

export interface StatAt extends PathStat {
  readonly path: string;
}

export interface FileStat extends StatAt {
  readonly is: FileKind;
}

/** Reads files of a folder into its store, for one checkpoint: a file is read once. */
export class FilesOnDisk {
  readonly #folder: string;
  readonly #writer: ObjectWriter;
  readonly #folders = new Map<string, PathStat>();
  /** What was read before anybody asked. */
  readonly #ahead = new Map<string, FileStat & { readonly entry: TreeEntry }>();
  #aheadBytes = 0;
  #wanted: string[] = [];
  #isReadingAhead = false;

  constructor(folder: string, writer: ObjectWriter) {
    this.#folder = folder;
    this.#writer = writer;
  }

  /** Finds nothing below a link: the files that it shows belong to another folder. */
  stat(path: string): PathStat {
    const known = this.#ahead.get(path);
    if (known) return known;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      const above = this.#folders.get(folder) ?? statAt(this.fullPath(folder));
      this.#folders.set(folder, above);
      if (above.is !== 'folder') return NOTHING;
    }
    return statAt(this.fullPath(path));
  }

  /** The file as the store has it from now on. */
  store({ path, is }: FileStat): TreeEntry {
    return this.#ahead.get(path)?.entry ?? { mode: MODES[is], id: this.#writer.write('blob', this.#read(path, is)) };
  }

  /** Reads a file that is likely to be asked for, a few at a time, until `stopReadingAhead`. */
  readAhead(path: string): void {
    if (this.#ahead.size + this.#wanted.length >= MAX_READ_PATHS) return;
    this.#wanted.push(path);
    if (this.#isReadingAhead) return;
    this.#isReadingAhead = true;
    setImmediate(() => this.#readSome());
  }

  stopReadingAhead(): void {
    this.#wanted = [];
  }

  fullPath(path: string): string {
    return join(this.#folder, path);
  }

  #readSome(): void {
    for (const path of this.#wanted.splice(0, FILES_AT_ONCE)) this.#readOneAhead(path);
    this.#isReadingAhead = this.#wanted.length > 0;
    if (this.#isReadingAhead) setImmediate(() => this.#readSome());
  }

  #readOneAhead(path: string): void {
    try {
      const { is, size } = this.stat(path);
      if (is === 'nothing' || is === 'folder' || this.#aheadBytes + size > MAX_READ_BYTES) return;
      this.#aheadBytes += size;
      const file = { path, is, size };
      this.#ahead.set(path, { ...file, entry: this.store(file) });
    } catch {
      // it vanished, or may not be read: whoever asks for it hears of that
    }
  }

  #read(path: string, is: FileKind): Buffer {
    const full = this.fullPath(path);
    return is === 'link' ? readlinkSync(full, { encoding: 'buffer' }) : readFileSync(full);
  }
}

/** Files that are read before other work of the host gets its turn, a few milliseconds. */
export const FILES_AT_ONCE = 100;

const MODES = { file: REGULAR, executable: EXECUTABLE, link: SYMLINK } as const;

export const FILE_MODES: ReadonlySet<string> = new Set(Object.values(MODES));

/** Git looks at the owner's bit only. */
const OWNER_EXECUTE = 0o100;

const NOTHING: PathStat = { is: 'nothing', size: 0 };

/** Sockets, pipes and devices count as nothing, as they do for git. */
function statAt(path: string): PathStat {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return NOTHING;
    const { size } = found;
    if (found.isSymbolicLink()) return { is: 'link', size };
    if (found.isDirectory()) return { is: 'folder', size };
    if (!found.isFile()) return NOTHING;
    return { is: found.mode & OWNER_EXECUTE ? 'executable' : 'file', size };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return NOTHING;
    throw error;
  }
}
