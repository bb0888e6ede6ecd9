import type { Clock } from '../../ports/clock.js';
import type { FileLists } from '../../ports/file-lists.js';
import { inTime } from '../in-time.js';
import { type Searchable, search, searchable } from './fuzzy.js';
import { FRESH_MS } from './limits.js';

export interface FileIndexOptions {
  readonly folder: string;
  readonly lists: FileLists;
  readonly clock: Clock;
  /** Reports changed paths below the folder, or none when anything may have changed. Returns how to stop. */
  listen(touched: (paths: readonly string[]) => void): () => void;
}

/** An index of the paths in a folder. Read once, and again only after a change that may have added paths. */
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

  /** The best matching paths. The first search waits for the index until `signal` aborts. */
  async search(query: string, max: number, signal: AbortSignal): Promise<string[]> {
    if (this.#isStale) this.#read();
    const timeout = this.#wasRead ? FRESH_MS : FIRST_MS;
    if (this.#reading) await inTime(this.#reading, timeout, this.#options.clock, signal);
    return search(this.#names, query, max).map(({ index }) => this.#names.names[index] ?? '');
  }

  dispose(): void {
    this.#stop.abort();
    this.#unlisten();
  }

  /**
   * Writes to known files are ignored, and so are deletions: the source checks that a file exists before offering it.
   */
  #touched(paths: readonly string[]): void {
    const mayAddPaths = (path: string) => !this.#known.has(path) || /(^|\/)\.(git)?ignore$/.test(path);
    if (paths.length === 0 || paths.some(mayAddPaths)) this.#isStale = true;
  }

  #read(): void {
    this.#reading ??= this.#readNames().finally(() => {
      this.#reading = undefined;
    });
  }

  async #readNames(): Promise<void> {
    const { lists, folder } = this.#options;
    this.#isStale = false; // a change during the read makes it stale again
    try {
      const files = await lists.list(folder, this.#stop.signal);
      this.#names = searchable(files);
      this.#known = new Set(files);
      this.#wasRead = true;
    } catch {
      this.#isStale = true; // the folder may come back
    }
  }
}

/** Milliseconds to wait for the first read; in practice `signal` aborts first. */
const FIRST_MS = 60_000;
