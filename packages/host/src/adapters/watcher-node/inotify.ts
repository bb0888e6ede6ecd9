import { type Dirent, type FSWatcher, lstatSync, readFileSync, type Stats, watch } from 'node:fs';
import { opendir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../paths/inside.js';
import { type PathChange, WatchError, type Watching, type WatchListener } from '../../ports/watcher.js';

/**
 * Watches a folder and everything below it on Linux, with one Node watcher per folder. All of them share one queue of the
 * system, so events arrive in order and none is lost.
 */
export async function watchTree(
  folder: string,
  listener: WatchListener,
  except: readonly string[] = [],
  watchFolder: WatchFolder = watch,
): Promise<Watching> {
  const tree = new WatchedTree(folder, listener, except, watchFolder);
  try {
    await tree.start();
    return tree;
  } catch (error) {
    tree.stop();
    throw error;
  }
}

/** Watches a single folder. Tests pass one that runs out of watches. */
export type WatchFolder = (
  folder: string,
  options: { persistent: false },
  listener: (event: string, name: string | null) => void,
) => FSWatcher;

class WatchedTree implements Watching {
  readonly #root: string;
  readonly #watchFolder: WatchFolder;
  readonly #listener: WatchListener;
  readonly #except: ReadonlySet<string>;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changes = new Map<string, PathChange['type']>();
  #isActive = true;
  #isFlushing = false;
  #burst = 0;
  #following = new Set<Promise<void>>();
  /** Watched folders that have subfolders which could not be watched. */
  readonly #unfollowed = new Set<string>();

  constructor(root: string, listener: WatchListener, except: readonly string[], watchFolder: WatchFolder) {
    this.#root = root;
    this.#watchFolder = watchFolder;
    this.#listener = listener;
    this.#except = new Set(except);
  }

  async start(): Promise<void> {
    this.#watch(this.#root);
    await this.#follow([this.#root], false);
  }

  stop(): void {
    this.#isActive = false;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async settled(): Promise<void> {
    while (this.#following.size > 0) await Promise.all(this.#following);
    this.#flush();
  }

  async complete(): Promise<boolean> {
    const folders = [...this.#unfollowed];
    this.#unfollowed.clear();
    await this.#follow(folders, false).catch(() => undefined); // what is left is in #unfollowed again
    return this.#unfollowed.size === 0;
  }

  /** Watches a folder before it is read: a change in between is then reported twice rather than missed. */
  #watch(folder: string): void {
    const watcher = this.#watchFolder(folder, { persistent: false }, (event, name) =>
      this.#touched(folder, event, name),
    );
    watcher.on('error', () => this.#miss());
    this.#watchers.set(folder, watcher);
  }

  /**
   * Watches all folders below some folders, and with `isNew` reports their entries as added. If it fails, the remaining
   * folders are added to `#unfollowed`.
   */
  async #follow(folders: string[], isNew: boolean): Promise<void> {
    for (let at = folders.pop(); at !== undefined && this.#isActive; at = folders.pop()) {
      try {
        for (const folder of await this.#followIn(at, isNew)) folders.push(folder);
      } catch (error) {
        for (const left of [at, ...folders]) this.#unfollowed.add(left);
        throw error;
      }
    }
  }

  async #followIn(folder: string, isNew: boolean): Promise<string[]> {
    const followed: string[] = [];
    const take = (entry: Dirent) => {
      if (!isNew && !entry.isDirectory()) return;
      const path = join(folder, entry.name);
      if (this.#except.has(path) || !this.#isActive) return;
      if (isNew) this.#report(path, 'added');
      if (entry.isDirectory() && !this.#watchers.has(path) && this.#tryWatch(path)) followed.push(path);
    };
    await eachEntry(folder, take);
    return followed;
  }

  /** Returns whether the folder is watched now. One that is gone, or that this user cannot see into, need not be. */
  #tryWatch(folder: string): boolean {
    try {
      this.#watch(folder);
      return true;
    } catch (error) {
      if (isGone(error) || isBarred(folder, error)) return false;
      throw error;
    }
  }

  #touched(folder: string, event: string, name: string | null): void {
    if (!this.#isActive) return;
    if (++this.#burst === MAX_BURST || name === null) this.#miss();
    const path = join(folder, name ?? '');
    if (name === null || this.#except.has(path)) return;
    const found = statIfThere(path);
    if (found) this.#found(path, event, found.isDirectory());
    else if (event !== 'change') this.#missing(folder, name);
  }

  /** A removed folder also reports itself, under its own name, as if that were the name of an entry in it. */
  #missing(folder: string, name: string): void {
    const isItself = name === basename(folder) && !statIfThere(folder);
    if (!isItself) this.#removed(join(folder, name));
    else if (this.#watchers.has(folder)) this.#removed(folder);
  }

  #found(path: string, event: string, isFolder: boolean): void {
    if (isFolder && event === 'change' && this.#watchers.has(path)) return; // changes in it are reported separately
    this.#forget(path); // it may be a different folder of the same name
    this.#report(path, event === 'change' ? 'updated' : 'added');
    if (!isFolder) return;
    const followed = this.#followNew(path).finally(() => this.#following.delete(followed));
    this.#following.add(followed);
  }

  async #followNew(folder: string): Promise<void> {
    try {
      if (!this.#tryWatch(folder)) return;
    } catch (error) {
      this.#unfollowed.add(dirname(folder));
      this.#incomplete(error);
      return;
    }
    await this.#follow([folder], true).catch((error: unknown) => this.#incomplete(error));
  }

  #removed(path: string): void {
    this.#forget(path);
    this.#report(path, 'deleted');
    if (path !== this.#root) return;
    this.#flush();
    this.stop();
    this.#listener.ended();
  }

  #forget(folder: string): void {
    if (!this.#watchers.has(folder)) return;
    for (const [path, watcher] of this.#watchers) {
      if (!isInside(path, folder)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  #report(path: string, type: PathChange['type']): void {
    const earlier = this.#changes.get(path);
    // A file that is created and then written counts as added; one that is deleted and created again, as updated.
    const merged = earlier === 'added' && type === 'updated' ? 'added' : type;
    this.#changes.delete(path);
    this.#changes.set(path, earlier === 'deleted' && type === 'added' ? 'updated' : merged);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushing = false;
    this.#burst = 0;
    const changes = [...this.#changes].map(([path, type]) => ({ path, type }));
    this.#changes.clear();
    if (this.#isActive && changes.length > 0) this.#listener.changed(changes);
  }

  #miss(): void {
    if (this.#isActive) this.#listener.missed();
  }

  /** Some folder could not be watched, so some changes will not be reported. */
  #incomplete(error: unknown): void {
    if (!this.#isActive) return;
    const reason = error instanceof Error ? error.message : 'unknown';
    this.#listener.partial?.(
      new WatchError(`not everything in ${this.#root} can be watched: ${reason}`, { cause: error }),
    );
    this.#miss();
  }
}

/** Of a large folder, reads some entries at a time: hundreds of thousands at once would block the host. */
async function eachEntry(folder: string, take: (entry: Dirent) => void): Promise<void> {
  try {
    if ((await stat(folder)).size > LARGE_FOLDER_BYTES)
      for await (const entry of await opendir(folder, { bufferSize: ENTRIES_AT_ONCE })) take(entry);
    else for (const entry of await readdir(folder, { withFileTypes: true })) take(entry);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** What the list of names of a folder takes on the disk, with some ten thousand entries. */
const LARGE_FOLDER_BYTES = 256 * 1024;

const ENTRIES_AT_ONCE = 512;

/** The stats of a path; undefined if it does not exist or cannot be reached. */
function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Whether this user can reach nothing in a folder, so that there is nothing to report. In one that merely cannot be listed,
 * there may be.
 */
function isBarred(folder: string, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EACCES' && !statIfThere(`${folder}/.`);
}

/** After this many events at once, the queue of the system may have overflowed and lost some. */
const MAX_BURST = Math.floor(queueLength() / 2);

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384;
  } catch {
    return 16_384;
  }
}
