import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { PathChange, WatchError, Watcher, Watching, WatchListener } from '../../ports/watcher.js';
import type { WorkspaceListener } from '../../ports/workspace.js';
import { MAX_WATCH_RETRY_MS, WATCH_PATIENCE_MS, WATCH_QUIET_MS, WATCH_RETRY_MS } from './limits.js';

export interface FolderListener extends WorkspaceListener {
  /** From now on changes may go unseen, until `watching`. */
  unsure?(): void;
  /** Something in the folder of the repository changed: what is committed, staged or ignored may be other. */
  repositoryTouched?(): void;
}

export interface FolderWatchOptions {
  readonly folder: string;
  /** Where git keeps the repository that the folder belongs to. */
  readonly repositoryFolder: () => Promise<string | undefined>;
  readonly watcher: Watcher;
  readonly clock: Clock;
  readonly log: Log;
}

interface Watched {
  readonly all: readonly Watching[];
  readonly isWhole: boolean;
}

/** Watches a folder while somebody wants to know: one watcher of the system, however many listen. */
export class FolderWatch {
  readonly #folder: string;
  readonly #repositoryFolder: () => Promise<string | undefined>;
  readonly #watcher: Watcher;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<FolderListener>();
  /** Undefined while nobody listens, and until what was lost is tried again. */
  #active: Promise<Watched> | undefined;
  /** Whether all that happens is told, to the repository as well: else whoever must know everything looks for itself. */
  #isWhole = false;
  /** What some new folder holds is not told; that is tried again. */
  #isPartial = false;
  #quiet: unknown;
  #patience: unknown;
  #retry: unknown;
  #completion: unknown;
  /** Tries that failed since the folder was last watched. */
  #failures = 0;

  constructor({ folder, repositoryFolder, watcher, clock, log }: FolderWatchOptions) {
    this.#folder = folder;
    this.#repositoryFolder = repositoryFolder;
    this.#watcher = watcher;
    this.#clock = clock;
    this.#log = log;
  }

  add(listener: FolderListener): () => void {
    this.#listeners.add(listener);
    const active = this.#active;
    if (active) {
      const tell = () => this.#active === active && this.#listeners.has(listener) && this.#tellWatching(listener);
      active.then(tell, () => undefined); // who started it hears why it failed
    } else if (this.#retry === undefined) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** The folder belongs to another repository now, or to one for the first time. */
  restart(): void {
    if (!this.#active && this.#retry === undefined) return;
    for (const listener of [...this.#listeners]) listener.unsure?.();
    this.#release();
    this.#startAgain();
  }

  /** Resolves when what was told so far has been followed up. */
  async settled(): Promise<void> {
    const active = await this.#active?.catch(() => undefined);
    await Promise.all((active?.all ?? []).map((watching) => watching.settled?.()));
  }

  #start(): void {
    this.#isWhole = false;
    this.#isPartial = false;
    const active = this.#subscribe();
    this.#active = active;
    active.then(
      ({ isWhole }) => {
        if (this.#active !== active) return;
        this.#isWhole = isWhole;
        if (!this.#isPartial) this.#failures = 0;
        for (const listener of [...this.#listeners]) this.#tellWatching(listener);
      },
      (error: unknown) => {
        if (this.#active !== active) return;
        this.#failed('a folder cannot be watched', error);
        this.#lost();
      },
    );
  }

  async #subscribe(): Promise<Watched> {
    const watcher = this.#watcher;
    let isWhole = true;
    const unknown = () => {
      isWhole = false;
      return undefined;
    };
    const repository = await this.#repositoryFolder().catch(unknown);
    const own = join(this.#folder, '.git');
    const files = await watcher.watch(this.#folder, true, this.#filesListener(), [own]);
    if (!repository) return { all: [files], isWhole };
    const untold = UNTOLD.map((name) => join(repository, name));
    const commits = await watcher.watch(repository, true, this.#repositoryListener(), untold).catch(unknown);
    return { all: commits ? [files, commits] : [files], isWhole };
  }

  #filesListener(): WatchListener {
    return {
      changed: (changes) => this.#touched(changes.map((change) => this.#pathOf(change))),
      missed: () => {
        for (const listener of [...this.#listeners]) this.#tellWatching(listener);
        this.#touched([]);
      },
      partial: (error) => this.#partial(error),
      ended: () => this.#lost(),
    };
  }

  #repositoryListener(): WatchListener {
    const touched = () => {
      for (const listener of [...this.#listeners]) listener.repositoryTouched?.();
      this.#touched([]);
    };
    const ended = () => {
      touched();
      this.restart(); // another repository may be in its place
    };
    return { changed: touched, missed: touched, partial: (error) => this.#partial(error), ended };
  }

  /** The system has no watches left for a new folder. What is told of the rest still counts. */
  #partial(error: WatchError): void {
    this.#isPartial = true;
    for (const listener of [...this.#listeners]) listener.unsure?.();
    if (this.#completion !== undefined) return; // it is known, and tried again
    this.#failed('a folder is not watched as a whole', error);
    this.#completeLater();
  }

  #completeLater(): void {
    this.#completion = this.#clock.setTimeout(() => void this.#complete(), this.#pause);
  }

  async #complete(): Promise<void> {
    const active = this.#active;
    const all = (await active?.catch(() => undefined))?.all ?? [];
    const completed = await Promise.all(all.map((watching) => watching.complete?.() ?? true));
    if (this.#active !== active) return;
    this.#completion = undefined;
    if (!completed.every(Boolean)) {
      this.#failures++;
      this.#completeLater();
      return;
    }
    this.#isPartial = false;
    this.#failures = 0;
    for (const listener of [...this.#listeners]) this.#tellWatching(listener);
    this.#touched([]); // what happened in between was not told
  }

  #failed(message: string, error: unknown): void {
    const level = this.#failures++ === 0 ? 'warn' : 'debug';
    this.#log.write(level, message, { folder: this.#folder, error: String(error) });
  }

  /** Each try walks a whole folder, so they become rarer while they fail. */
  get #pause(): number {
    return Math.min(WATCH_RETRY_MS * 2 ** Math.max(0, this.#failures - 1), MAX_WATCH_RETRY_MS);
  }

  #tellWatching(listener: FolderListener): void {
    listener.watching?.();
    if (!this.#isWhole || this.#isPartial) listener.unsure?.();
  }

  #pathOf({ path }: PathChange): string {
    return relative(this.#folder, path).split(sep).join('/');
  }

  #stop(): void {
    for (const timer of [this.#quiet, this.#patience]) this.#clock.clearTimeout(timer);
    this.#patience = undefined;
    this.#release();
  }

  /** The folder is gone, or the system has no watches left: both may change. */
  #lost(): void {
    this.#release();
    if (this.#listeners.size === 0) return;
    for (const listener of [...this.#listeners]) listener.unsure?.();
    this.#touched([]);
    this.#tryLater();
  }

  #tryLater(): void {
    this.#retry = this.#clock.setTimeout(() => {
      if (!existsSync(this.#folder)) return this.#tryLater();
      this.#retry = undefined;
      this.#startAgain();
    }, this.#pause);
  }

  /** Nothing is watched from here on, nor tried again. */
  #release(): void {
    this.#clock.clearTimeout(this.#retry);
    this.#clock.clearTimeout(this.#completion);
    this.#retry = undefined;
    this.#completion = undefined;
    release(this.#active);
    this.#active = undefined;
  }

  /** What happened in between was not told. */
  #startAgain(): void {
    this.#start();
    this.#active?.then(() => this.#touched([])).catch(() => undefined);
  }

  #touched(paths: readonly string[]): void {
    for (const listener of [...this.#listeners]) listener.touched?.(paths);
    this.#clock.clearTimeout(this.#quiet);
    this.#quiet = this.#clock.setTimeout(() => this.#settled(), WATCH_QUIET_MS);
    this.#patience ??= this.#clock.setTimeout(() => this.#settled(), WATCH_PATIENCE_MS);
  }

  #settled(): void {
    this.#clock.clearTimeout(this.#quiet);
    this.#clock.clearTimeout(this.#patience);
    this.#patience = undefined;
    for (const listener of [...this.#listeners]) listener.settled?.();
  }
}

function release(active: Promise<Watched> | undefined): void {
  active?.then(
    ({ all }) => {
      for (const watching of all) watching.stop();
    },
    () => undefined,
  );
}

/** What changes in a repository's folder without a change of what is committed, staged or ignored. */
const UNTOLD = ['objects', 'logs', 'lfs', 'hooks', 'modules'];
