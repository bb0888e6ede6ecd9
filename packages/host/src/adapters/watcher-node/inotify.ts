import { type Dirent, type FSWatcher, lstatSync, readFileSync, type Stats, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../paths/inside.js';
import { type PathChange, WatchError, type Watching, type WatchListener } from '../../ports/watcher.js';

/**
 * Watches a folder and all below it on Linux, with one watch of Node's for each folder. All of them share one queue of events,
 * which are told in their order, none merged or dropped on the way: @parcel/watcher loses what happens while it tells.
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

/** What watches a single folder; tests have one that runs out of watches. */
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
  /** Watched folders in which there are some that could not be watched. */
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
    await this.#follow(folders, false).catch(() => undefined); // it is noted again
    return this.#unfollowed.size === 0;
  }

  /** First watched, then read: what comes in between is told twice and not missed. */
  #watch(folder: string): void {
    const watcher = this.#watchFolder(folder, { persistent: false }, (event, name) =>
      this.#touched(folder, event, name),
    );
    watcher.on('error', () => this.#miss());
    this.#watchers.set(folder, watcher);
  }

  /** Watches the folders in some folders; of new ones, what is in them is told. Where it fails, what is left is noted. */
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
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (this.#except.has(path) || !this.#isActive) continue;
      if (isNew) this.#tell(path, 'added');
      if (entry.isDirectory() && !this.#watchers.has(path) && this.#tryWatch(path)) followed.push(path);
    }
    return followed;
  }

  /** Whether it is watched now. One that is gone or shows nothing need not be. */
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
    const found = look(path);
    if (found) this.#found(path, event, found.isDirectory());
    else if (event !== 'change') this.#left(folder, name); // a folder tells of itself under its own name, too
  }

  #left(folder: string, name: string): void {
    const isItself = name === basename(folder) && !look(folder);
    if (!isItself) this.#gone(join(folder, name));
    else if (this.#watchers.has(folder)) this.#gone(folder);
  }

  #found(path: string, event: string, isFolder: boolean): void {
    if (isFolder && event === 'change' && this.#watchers.has(path)) return; // what is in it tells for itself
    this.#forget(path); // another one of this name
    this.#tell(path, event === 'change' ? 'updated' : 'added');
    if (!isFolder) return;
    const followed = this.#followNew(path).finally(() => this.#following.delete(followed));
    this.#following.add(followed);
  }

  async #followNew(folder: string): Promise<void> {
    try {
      if (!this.#tryWatch(folder)) return;
    } catch (error) {
      this.#unfollowed.add(dirname(folder));
      this.#notAll(error);
      return;
    }
    await this.#follow([folder], true).catch((error: unknown) => this.#notAll(error));
  }

  #gone(path: string): void {
    this.#forget(path);
    this.#tell(path, 'deleted');
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

  #tell(path: string, type: PathChange['type']): void {
    const earlier = this.#changes.get(path);
    // A file that is made and written is new; one that is replaced is changed.
    const together = earlier === 'added' && type === 'updated' ? 'added' : type;
    this.#changes.delete(path);
    this.#changes.set(path, earlier === 'deleted' && type === 'added' ? 'updated' : together);
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

  /** There is something to be seen that will not be told. */
  #notAll(error: unknown): void {
    if (!this.#isActive) return;
    const reason = error instanceof Error ? error.message : 'unknown';
    this.#listener.partial?.(new WatchError(`not all in ${this.#root} can be watched: ${reason}`, { cause: error }));
    this.#miss();
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** What is at a path; nothing is where a folder on the way is not one any more, or may not be entered. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether this user can see nothing in a folder, so that there is nothing to tell. One that can only not be listed is another matter. */
function isBarred(folder: string, error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EACCES' && !look(`${folder}/.`);
}

/** Events at one go from which on the queue of the system may have been full, and some are lost. */
const MAX_BURST = Math.floor(queueLength() / 2);

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384;
  } catch {
    return 16_384;
  }
}
