import type { Clock } from '../../ports/clock.js';
import type { FileLists } from '../../ports/file-lists.js';
import { inTime } from '../in-time.js';
import { type Searchable, search, searchable } from './fuzzy.js';
import { FRESH_MS } from './limits.js';

export interface FileIndexOptions {
  readonly folder: string;
  readonly lists: FileLists;
  readonly clock: Clock;
  /** Tells of changes below the folder; gives back how to stop that. */
  listen(touched: (paths: readonly string[]) => void): () => void;
}

/** The names of a folder's files, kept ready: read once, and again only when a name may have come or gone. */
export class FileIndex {
  readonly #options: FileIndexOptions;
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;
  #names: Searchable = searchable([]);
  #known = new Set<string>();
  #isStale = true;
  #wasRead = false;
  #reading: Promise<void> | undefined;

  constructor(options: FileIndexOptions) {
    this.#options = options;
    this.#unlisten = options.listen((paths) => this.#touched(paths));
  }

  /** The paths that fit best. The first time it waits for the names as long as `signal` lets it. */
  async search(query: string, max: number, signal: AbortSignal): Promise<string[]> {
    if (this.#isStale) this.#read();
    const patience = this.#wasRead ? FRESH_MS : FIRST_MS;
    if (this.#reading) await inTime(this.#reading, patience, this.#options.clock, signal);
    return search(this.#names, query, max).map(({ index }) => this.#names.names[index] ?? '');
  }

  dispose(): void {
    this.#stop.abort();
    this.#unlisten();
  }

  /** A file that is written is no news; one that is gone is found to be so when it is shown. */
  #touched(paths: readonly string[]): void {
    const isNews = (path: string) => !this.#known.has(path) || /(^|\/)\.(git)?ignore$/.test(path);
    if (paths.length === 0 || paths.some(isNews)) this.#isStale = true;
  }

  #read(): void {
    this.#reading ??= this.#readNames().finally(() => {
      this.#reading = undefined;
    });
  }

  async #readNames(): Promise<void> {
    const { lists, folder } = this.#options;
    this.#isStale = false; // what changes from now on is to be read again
    try {
      const files = await lists.list(folder, this.#stop.signal);
      this.#names = searchable(files);
      this.#known = new Set(files);
      this.#wasRead = true;
    } catch {
      this.#isStale = true; // a folder that is away may come back
    }
  }
}

/** Longer than anybody waits; the signal says when nobody does. */
const FIRST_MS = 60_000;
