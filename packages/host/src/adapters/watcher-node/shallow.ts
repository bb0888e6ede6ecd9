import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

/** Watches the direct entries of a folder. Takes one watch of the system, however much is below. */
export async function watchShallow(
  folder: string,
  listener: WatchListener,
  only?: readonly string[],
): Promise<Watching> {
  const shallow = new ShallowWatch(folder, listener, only && new Set(only));
  await shallow.start();
  return shallow;
}

/** The system only names the entries that were touched. Comparing their stats before and now tells what happened. */
class ShallowWatch implements Watching {
  readonly #folder: string;
  readonly #listener: WatchListener;
  /** The names that count; undefined if all do. */
  readonly #only: ReadonlySet<string> | undefined;
  #known = new Map<string, string>();
  #identity = '';
  #watcher: FSWatcher | undefined;
  #touched = new Set<string>();
  #checkAll = false;
  /** A check has not begun yet: what is touched until then is part of it. Some programs touch a file all the time. */
  #isDue = false;
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string, listener: WatchListener, only: ReadonlySet<string> | undefined) {
    this.#folder = folder;
    this.#listener = listener;
    this.#only = only;
  }

  /** Watches the folder before reading it: a change in between is then checked twice rather than missed. */
  async start(): Promise<void> {
    this.#watcher = watch(this.#folder, { persistent: false }, (_event, name) => this.#touch(name));
    this.#watcher.on('error', () => this.#touch(null));
    try {
      this.#identity = await identityOf(this.#folder);
      this.#known = await this.#read();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  async settled(): Promise<void> {
    await this.#work.catch(() => undefined); // a listener that failed
  }

  #touch(name: string | null): void {
    if (name !== null && (this.#only?.has(name) ?? true)) this.#touched.add(name);
    else if (name === null || name === basename(this.#folder))
      this.#checkAll = true; // it may be gone itself
    else return;
    if (this.#isDue) return;
    this.#isDue = true;
    const check = () => this.#check();
    // A listener that failed once must still hear of the next change.
    this.#work = this.#work.then(check, check);
  }

  async #check(): Promise<void> {
    this.#isDue = false;
    const names = this.#checkAll ? undefined : this.#touched;
    this.#touched = new Set();
    this.#checkAll = false;
    const changes = await this.#changes(names).catch(() => undefined);
    if (!this.#watcher) return;
    if (!changes) {
      this.stop();
      this.#listener.changed([{ path: this.#folder, type: 'deleted' }]);
      this.#listener.ended();
    } else if (changes.length > 0) this.#listener.changed(changes);
  }

  /** Rejects if the folder is gone. */
  async #changes(names: ReadonlySet<string> | undefined): Promise<PathChange[]> {
    if (!this.#watcher) return [];
    if ((await identityOf(this.#folder)) !== this.#identity) throw new Error('another folder is in its place');
    const now = names ? await this.#fingerprints(names) : await this.#read();
    return this.#compare(names ?? new Set([...now.keys(), ...this.#known.keys()]), now);
  }

  #compare(names: ReadonlySet<string>, now: ReadonlyMap<string, string>): PathChange[] {
    const changes: PathChange[] = [];
    for (const name of names) {
      const [before, after] = [this.#known.get(name), now.get(name)];
      if (before === after) continue;
      const type = before === undefined ? 'added' : after === undefined ? 'deleted' : 'updated';
      changes.push({ path: join(this.#folder, name), type });
      if (after === undefined) this.#known.delete(name);
      else this.#known.set(name, after);
    }
    return changes;
  }

  async #read(): Promise<Map<string, string>> {
    return this.#fingerprints(this.#only ?? new Set(await readdir(this.#folder)));
  }

  async #fingerprints(names: ReadonlySet<string>): Promise<Map<string, string>> {
    const found = [...names].map(async (name) => [name, await fingerprintOf(join(this.#folder, name))] as const);
    return new Map((await Promise.all(found)).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }
}

/**
 * Changes whenever a file does; undefined if there is none. For a folder, only its identity counts: a change of its entries
 * is not a change of the entry watched here.
 */
async function fingerprintOf(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (stats.isDirectory()) return `folder ${stats.ino}`;
    return [stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
  } catch {
    return undefined;
  }
}

async function identityOf(folder: string): Promise<string> {
  const { dev, ino } = await lstat(folder, { bigint: true });
  return `${dev} ${ino}`;
}
