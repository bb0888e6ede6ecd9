import { isDeepStrictEqual } from 'node:util';
import { isInside } from '../../paths/inside.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { FolderWatches, type WatchPorts } from './folder-watches.js';
import type { LoadedContainer } from './found.js';
import { GATHER_MS, REST_FACTOR } from './limits.js';
import type { Source } from './sources/source.js';

export interface CatalogueOptions extends WatchPorts {
  readonly sources: readonly Source[];
  /** Everything is in it; folders above it are not watched. */
  readonly base: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is in some folders, kept up to date by watching them. Sessions that use the same folders share one. */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #watches: FolderWatches;
  readonly #loaded = new Map<Source, readonly LoadedContainer[]>();
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<Source>();
  #timer: unknown;
  #looking: Promise<void> | undefined;
  /** Milliseconds that the last look at everything took. */
  #cost = 0;
  #isClosed = false;
  /** Resolves when everything has been looked at once, and will be again when it changes. */
  readonly ready: Promise<void>;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#watches = new FolderWatches(options, (path) => this.touch(path));
    this.ready = this.#start();
  }

  get containers(): readonly LoadedContainer[] {
    return this.#options.sources.flatMap((source) => this.#loaded.get(source) ?? []);
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something happened at a path, or anywhere: what it may concern is looked at again soon. */
  touch(path?: string): void {
    for (const source of this.#options.sources) {
      if (path === undefined || concerns(source, path)) this.#changed.add(source);
    }
    this.#schedule(GATHER_MS);
  }

  /** Looks at everything now, where that is quick: what changed in this moment may not have been told yet. */
  async refresh(): Promise<void> {
    await this.ready;
    while (this.#looking) await this.#looking;
    if (this.#cost > QUICK_MS || this.#isClosed) return;
    for (const source of this.#options.sources) this.#changed.add(source);
    await this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#watches.close();
  }

  /** Watched before they are read, so that nothing is missed; what appears meanwhile needs watches of its own. */
  async #start(): Promise<void> {
    const { sources, clock } = this.#options;
    for (let round = 0; round < ROUNDS && !this.#isClosed; round++) {
      const isNew = await this.#watches.update(sources);
      if (round > 0 && !isNew) return;
      const began = clock.now();
      await this.#load(sources);
      this.#cost = clock.now() - began;
    }
  }

  async #load(sources: Iterable<Source>): Promise<boolean> {
    const looks = [...sources].map(async (source) => {
      const before = this.#loaded.get(source);
      const after = await this.#loadOne(source);
      this.#loaded.set(source, after);
      return !isDeepStrictEqual(before?.map(entryOf), after.map(entryOf));
    });
    return (await Promise.all(looks)).includes(true);
  }

  async #loadOne(source: Source): Promise<readonly LoadedContainer[]> {
    try {
      return await source.load();
    } catch (error) {
      this.#options.log.write('error', 'customizations could not be read', { error: String(error) });
      return this.#loaded.get(source) ?? [];
    }
  }

  #schedule(milliseconds: number): void {
    if (this.#timer !== undefined || this.#looking || this.#isClosed || this.#changed.size === 0) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      if (!this.#looking) void this.#look();
    }, milliseconds);
  }

  #look(): Promise<void> {
    this.#looking = this.#lookAgain();
    return this.#looking;
  }

  async #lookAgain(): Promise<void> {
    const { clock } = this.#options;
    const began = clock.now();
    try {
      await this.ready;
      const sources = [...this.#changed];
      this.#changed.clear();
      const isNew = await this.#load(sources);
      if (await this.#watches.update(this.#options.sources)) for (const source of sources) this.#changed.add(source);
      if (isNew && !this.#isClosed) for (const listener of this.#listeners) listener();
    } catch (error) {
      this.#options.log.write('error', 'customizations could not be looked at again', { error: String(error) });
    } finally {
      this.#looking = undefined;
      this.#schedule(Math.max(GATHER_MS, (clock.now() - began) * REST_FACTOR));
    }
  }
}

/** Milliseconds that a turn may wait for a look at everything. With more in the folders, the watches must do. */
const QUICK_MS = 500;

/** Folders that appear while the first watches are set up are few; who makes more is seen by those watches. */
const ROUNDS = 4;

function entryOf({ entry }: LoadedContainer): unknown {
  return entry;
}

/** What is in it, and what it is in: a folder on the way may have come or gone. */
function concerns({ folder, files }: Source, path: string): boolean {
  if (isInside(folder, path)) return true;
  if (!isInside(path, folder)) return false;
  return !files || files.some((file) => isInside(`${folder}/${file}`, path));
}
