import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

/** Watches what is directly in a folder: one watch of the system, however much is below. */
export async function watchShallow(folder: string, listener: WatchListener): Promise<Watching> {
  const shallow = new ShallowWatch(folder, listener);
  await shallow.start();
  return shallow;
}

/** The system names what was touched; what happened to it is told by how it looks now and looked before. */
class ShallowWatch implements Watching {
  readonly #folder: string;
  readonly #listener: WatchListener;
  #known = new Map<string, string>();
  #identity = '';
  #watcher: FSWatcher | undefined;
  #touched = new Set<string>();
  #lookAtAll = false;
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string, listener: WatchListener) {
    this.#folder = folder;
    this.#listener = listener;
  }

  /** First watched, then read: what changes in between is looked at twice and not missed. */
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

  #touch(name: string | null): void {
    if (name === null) this.#lookAtAll = true;
    else this.#touched.add(name);
    if (this.#touched.size === 1 || name === null) this.#work = this.#work.then(() => this.#look());
  }

  async #look(): Promise<void> {
    const names = this.#lookAtAll ? undefined : this.#touched;
    this.#touched = new Set();
    this.#lookAtAll = false;
    const changes = await this.#changes(names).catch(() => undefined);
    if (!this.#watcher) return;
    if (!changes) {
      this.stop();
      this.#listener.changed([{ path: this.#folder, type: 'deleted' }]);
      this.#listener.ended();
    } else if (changes.length > 0) this.#listener.changed(changes);
  }

  /** Rejects when the folder is gone. */
  async #changes(names: ReadonlySet<string> | undefined): Promise<PathChange[]> {
    if (!this.#watcher) return [];
    if ((await identityOf(this.#folder)) !== this.#identity) throw new Error('another folder is in its place');
    const now = names ? await this.#lookAt(names) : await this.#read();
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
    return this.#lookAt(new Set(await readdir(this.#folder)));
  }

  async #lookAt(names: ReadonlySet<string>): Promise<Map<string, string>> {
    const looks = [...names].map(async (name) => [name, await lookOf(join(this.#folder, name))] as const);
    return new Map((await Promise.all(looks)).filter((look): look is [string, string] => look[1] !== undefined));
  }
}

/** How a file looks from outside, or undefined when there is none. A folder changes when what is in it does, which is told elsewhere. */
async function lookOf(path: string): Promise<string | undefined> {
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
