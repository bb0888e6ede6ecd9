import { isDeepStrictEqual } from 'node:util';
import { isInside } from '../../paths/inside.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { FolderWatches, type WatchPorts } from './folder-watches.js';
import type { LoadedContainer } from './found.js';
import { GATHER_MS, REST_FACTOR } from './limits.js';
import type { Source } from './sources/source.js';
import type { WatchedFiles } from './watched-files.js';

export interface CatalogueOptions extends WatchPorts {
  readonly files: WatchedFiles;
  readonly sources: readonly Source[];
  /** The folder that contains all sources; folders above it are not watched. */
  readonly base: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The customizations in some folders, kept up to date by watching them. Sessions that use the same folders share one.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #watches: FolderWatches;
  readonly #loaded = new Map<Source, readonly LoadedContainer[]>();
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<Source>();
  #timer: unknown;
  #reading: Promise<void> | undefined;
  /** Milliseconds that the last full read took. */
  #cost = 0;
  #isClosed = false;
  /** Resolves when everything has been read once and is being watched. */
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

  /** Something changed at `path`, or anywhere: the sources it may affect are read again soon. */
  touch(path?: string): void {
    for (const source of this.#options.sources) {
      if (path === undefined || isAffected(source, path)) this.#changed.add(source);
    }
    this.#schedule(GATHER_MS);
  }

  /** Reads what changed up to now; everything if that is quick and changes may not have been reported. */
  async refresh(): Promise<void> {
    await this.ready;
    while (this.#reading) await this.#reading;
    const isReported = !this.#options.files.hasReadUnwatched && (await this.#watches.caughtUp());
    while (this.#reading) await this.#reading;
    if (this.#isClosed) return;
    const mustReadAll = !isReported && this.#cost <= QUICK_MS;
    for (const source of mustReadAll ? this.#options.sources : []) this.#changed.add(source);
    if (this.#changed.size > 0) await this.#startReading();
  }

  close(): void {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
    this.#watches.close();
  }

  /**
   * Folders are watched before they are read, so that no change is missed; those that appear meanwhile need another
   * round.
   */
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
    this.#options.files.lookAgain();
    const reads = [...sources].map(async (source) => {
      const before = this.#loaded.get(source);
      const after = await this.#loadOne(source);
      this.#loaded.set(source, after);
      return !isDeepStrictEqual(before?.map(entryOf), after.map(entryOf));
    });
    return (await Promise.all(reads)).includes(true);
  }

  async #loadOne(source: Source): Promise<readonly LoadedContainer[]> {
    try {
      return await source.load();
    } catch (error) {
      this.#options.log.write('error', 'customizations.read-failed', 'reading customizations failed', {
        error: String(error),
      });
      return this.#loaded.get(source) ?? [];
    }
  }

  #schedule(milliseconds: number): void {
    if (this.#timer !== undefined || this.#reading || this.#isClosed || this.#changed.size === 0) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      if (!this.#reading) void this.#startReading();
    }, milliseconds);
  }

  #startReading(): Promise<void> {
    this.#reading = this.#readChanged();
    return this.#reading;
  }

  async #readChanged(): Promise<void> {
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
      this.#options.log.write('error', 'customizations.refresh-failed', 'reading customizations again failed', {
        error: String(error),
      });
    } finally {
      this.#reading = undefined;
      this.#schedule(Math.max(GATHER_MS, (clock.now() - began) * REST_FACTOR));
    }
  }
}

/** Milliseconds a turn may wait for a full read. Larger folders rely on the watches alone. */
const QUICK_MS = 500;

/**
 * Rounds of watching and reading at the start. Few folders appear meanwhile; any later ones are seen by the watches.
 */
const ROUNDS = 4;

function entryOf({ entry }: LoadedContainer): unknown {
  return entry;
}

/** Whether a path is within the source or above it: a folder on the way may have come or gone. */
function isAffected({ folder, files }: Source, path: string): boolean {
  if (isInside(folder, path)) return true;
  if (!isInside(path, folder)) return false;
  return !files || files.some((file) => isInside(`${folder}/${file}`, path));
}
