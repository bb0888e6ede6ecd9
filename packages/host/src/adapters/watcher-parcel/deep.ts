import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type AsyncSubscription, type Event, subscribe } from '@parcel/watcher';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

/** New paths at once that are checked for folders in them; with more, all are taken to have some. */
const MAX_CHECKED = 50;

/** Folders that are watched on their own beside the one that is asked for. Past it, all is watched anew. */
const MAX_ADDED = 64;

/** Paths in a new folder that are told one by one; of more it is said that there are some. */
const MAX_TOLD = 1_000;

export async function watchDeep(
  folder: string,
  listener: WatchListener,
  except: readonly string[] = [],
): Promise<Watching> {
  const deep = new DeepWatch(folder, listener, except);
  await deep.start();
  return deep;
}

/**
 * The watcher follows a new folder, but not the folders that were in it already when it noticed: several made at once, or
 * one moved here. Those are watched on their own.
 */
class DeepWatch implements Watching {
  readonly #folder: string;
  readonly #listener: WatchListener;
  readonly #except: readonly string[];
  #isActive = true;
  #isStarting = false;
  #checks: Promise<unknown> = Promise.resolve();
  readonly #subscriptions = new Map<string, AsyncSubscription>();

  constructor(folder: string, listener: WatchListener, except: readonly string[]) {
    this.#folder = folder;
    this.#listener = listener;
    this.#except = except;
  }

  async start(): Promise<void> {
    await this.#add(this.#folder);
  }

  stop(): void {
    this.#isActive = false;
    for (const folder of [...this.#subscriptions.keys()]) this.#remove(folder);
  }

  async settled(): Promise<void> {
    await this.#checks;
  }

  async #add(folder: string): Promise<void> {
    const told = (error: Error | null, events: readonly Event[]) => this.#told(folder, error, events ?? []);
    const subscription = await subscribe(folder, told, { ignore: [...this.#except] });
    this.#subscriptions.set(folder, subscription);
    if (!this.#isActive) this.#remove(folder);
  }

  #remove(folder: string): void {
    // The folder may be gone, and with it what there was to stop.
    this.#subscriptions
      .get(folder)
      ?.unsubscribe()
      .catch(() => undefined);
    this.#subscriptions.delete(folder);
  }

  #told(folder: string, error: Error | null, events: readonly Event[]): void {
    if (!this.#isActive) return;
    if (error) this.#listener.missed();
    if (events.length > 0) this.#listener.changed(events.map(toChange));
    const gone = new Set(events.flatMap(({ type, path }) => (type === 'delete' ? [path] : [])));
    if (gone.has(this.#folder)) {
      this.stop();
      this.#listener.ended();
      return;
    }
    for (const added of [...this.#subscriptions.keys()]) if (gone.has(added)) this.#remove(added);
    if (!this.#subscriptions.has(folder)) return;
    const created = events.flatMap(({ type, path }) => (type === 'create' ? [path] : []));
    if (created.length > 0) this.#checks = Promise.all([this.#checks, this.#watchFoldersIn(created)]);
  }

  async #watchFoldersIn(created: readonly string[]): Promise<void> {
    if (created.length > MAX_CHECKED) return this.#startAnew();
    const found = await Promise.all(created.map(async (path) => ((await hasFolders(path)) ? [path] : [])));
    // One in another is watched with it.
    const unwatched = found.flat().filter((path) => !this.#isAdded(path));
    const outermost = unwatched.filter((path) => !unwatched.some((other) => path.startsWith(other + sep)));
    if (!this.#isActive || outermost.length === 0) return;
    if (this.#subscriptions.size + outermost.length > MAX_ADDED) return this.#startAnew();
    await Promise.all(outermost.map((path) => this.#add(path).catch(() => undefined)));
    const lists = await Promise.all(outermost.map((path) => readdir(path, { recursive: true }).catch(() => [])));
    if (!this.#isActive) return;
    const there = outermost.flatMap((path, at) => (lists[at] ?? []).map((name) => join(path, name)));
    if (there.length > MAX_TOLD) this.#listener.missed();
    else this.#listener.changed(there.map((path) => ({ path, type: 'added' })));
  }

  #isAdded(path: string): boolean {
    const added = [...this.#subscriptions.keys()].filter((folder) => folder !== this.#folder);
    return added.some((folder) => path === folder);
  }

  /** All at once, after everything is let go of: what is watched already would be taken as it was known. */
  async #startAnew(): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    const before = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    await Promise.allSettled(before.map((subscription) => subscription.unsubscribe()));
    try {
      if (this.#isActive) await this.#add(this.#folder);
      if (this.#isActive) this.#listener.missed();
    } catch {
      this.stop();
      this.#listener.ended();
    } finally {
      this.#isStarting = false;
    }
  }
}

async function hasFolders(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.some((entry) => entry.isDirectory());
}

function toChange({ path, type }: Event): PathChange {
  return { path, type: TYPES[type] };
}

const TYPES = { create: 'added', update: 'updated', delete: 'deleted' } as const;
