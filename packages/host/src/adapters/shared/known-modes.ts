import { lstatSync, opendirSync, readFileSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/**
 * Remembers the permissions of files and folders that do not have the usual ones, also after they were removed: git
 * records nothing but whether a file is executable. Stored in a file, for removals that a restart separates from their
 * undoing. Never fails: a file then comes back with the usual permissions.
 */
export class KnownModes {
  readonly #folder: string;
  readonly #file: string;
  /** By path; those of folders end in a slash. */
  #modes: Map<string, number> | undefined;
  /** Everything has been read, and every change since was reported. */
  #isComplete = false;
  /** Paths that changed and whose permissions are still to be read. */
  #touched = new Set<string>();
  /** Others may have changed as well. */
  #hasGap = false;
  #following: Promise<void> = Promise.resolve();

  constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#file = file;
  }

  /** The permission bits of the file that is, or last was, at a path; undefined for the usual ones. */
  ofFile(path: string): number | undefined {
    return this.#known().get(path);
  }

  ofFolder(path: string): number | undefined {
    return this.#known().get(`${path}/`);
  }

  /** Notes all paths that changed since the last call, for `follow`; undefined if one may be missing. */
  note(touched: ReadonlySet<string> | undefined): void {
    if (touched) for (const path of touched) this.#touched.add(path);
    else this.#hasGap = true;
  }

  /** Reads what was noted, or everything that `list` names if that may not be all. */
  follow(list: () => Promise<readonly string[]>): Promise<void> {
    this.#following = this.#following.then(() => this.#follow(list));
    return this.#following;
  }

  async #follow(list: () => Promise<readonly string[]>): Promise<void> {
    const [touched, hasGap] = [this.#touched, this.#hasGap];
    [this.#touched, this.#hasGap] = [new Set(), false];
    try {
      const isFew = !hasGap && touched.size <= MAX_FOLLOWED_PATHS;
      const paths = this.#isComplete && isFew ? withContents(this.#folder, touched) : undefined;
      await this.learn(paths ?? (await list()));
      this.#isComplete = !hasGap;
    } catch {
      this.#isComplete = false; // the next call reads everything
    }
  }

  /** Reads the permissions at these paths. What is gone keeps those that it had. */
  async learn(paths: readonly string[]): Promise<void> {
    const modes = this.#known();
    let hasChanged = false;
    for (const [index, path] of paths.slice(0, MAX_READ_PATHS).entries()) {
      if (index % PATHS_AT_ONCE === PATHS_AT_ONCE - 1) await yieldToOthers();
      const found = statsOf(join(this.#folder, path));
      if (!found?.isFile() && !found?.isDirectory()) continue;
      const key = found.isDirectory() ? `${path}/` : path;
      const mode = unusualMode(found);
      if (mode === modes.get(key)) continue;
      hasChanged = true;
      modes.delete(key); // so that the latest are last
      if (mode !== undefined) modes.set(key, mode);
    }
    if (hasChanged) this.#store(modes);
  }

  #known(): Map<string, number> {
    this.#modes ??= read(this.#file);
    return this.#modes;
  }

  #store(modes: Map<string, number>): void {
    for (const path of modes.keys()) {
      if (modes.size <= MAX_REMEMBERED_MODES) break;
      modes.delete(path);
    }
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify([...modes]), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      // the disk is full or the store is gone; they are still known until the host stops
    }
  }
}

/** Files and folders with unusual permissions: far more than anyone sets by hand, and some 2 MB. */
const MAX_REMEMBERED_MODES = 20_000;

/** Paths whose permissions are read after a full look, about half a second of work in small steps. */
const MAX_READ_PATHS = 100_000;

/** Paths read without letting others run, about a millisecond. */
const PATHS_AT_ONCE = 250;

/** Touched paths that are read one by one; with more, everything that is not ignored is read instead. */
const MAX_FOLLOWED_PATHS = 5_000;

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a folder above it is a file now, or may not be entered
  }
}

function unusualMode(found: Stats): number | undefined {
  const mode = found.mode & 0o7777;
  return mode === usualMode(found.isDirectory() || (mode & 0o100) !== 0) ? undefined : mode;
}

/** What the system gives to new folders and programs, or to other new files. */
function usualMode(isExecutable: boolean): number {
  return (isExecutable ? 0o777 : 0o666) & ~process.umask();
}

/** The paths and all that is below those that are folders; undefined if that is too much. */
function withContents(folder: string, touched: ReadonlySet<string>): string[] | undefined {
  const paths = [...touched];
  for (const path of paths) {
    const found = statsOf(join(folder, path));
    if (!found?.isDirectory()) continue;
    const entries = opendirSync(join(folder, path));
    try {
      for (let entry = entries.readSync(); entry && paths.length <= MAX_FOLLOWED_PATHS; entry = entries.readSync())
        if (entry.name !== '.git') paths.push(`${path}/${entry.name}`);
    } finally {
      entries.closeSync();
    }
  }
  return paths.length <= MAX_FOLLOWED_PATHS ? paths : undefined;
}

function read(file: string): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!Array.isArray(stored)) return new Map();
    return new Map(stored.filter((entry): entry is [string, number] => Number.isInteger(entry?.[1])));
  } catch {
    return new Map(); // there is none yet, or it is damaged
  }
}
