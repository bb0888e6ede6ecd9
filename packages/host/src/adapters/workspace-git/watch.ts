import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { PathChange, Watcher, Watching, WatchListener } from '../../ports/watcher.js';
import type { WorkspaceListener } from '../../ports/workspace.js';
import { WATCH_PATIENCE_MS, WATCH_QUIET_MS, WATCH_RETRY_MS } from './limits.js';

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

/** Watches a folder while somebody wants to know: one watcher of the system, however many listen. */
export class FolderWatch {
  readonly #folder: string;
  readonly #repositoryFolder: () => Promise<string | undefined>;
  readonly #watcher: Watcher;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<FolderListener>();
  #active: Promise<readonly Watching[]> | undefined;
  /** What happens to the repository is told as well. */
  #isWhole = false;
  #quiet: unknown;
  #patience: unknown;
  #retry: unknown;

  constructor({ folder, repositoryFolder, watcher, clock, log }: FolderWatchOptions) {
    this.#folder = folder;
    this.#repositoryFolder = repositoryFolder;
    this.#watcher = watcher;
    this.#clock = clock;
    this.#log = log;
  }

  add(listener: FolderListener): () => void {
    this.#listeners.add(listener);
    if (this.#active) void this.#active.then(() => this.#listeners.has(listener) && this.#tellWatching(listener));
    else this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** The folder belongs to another repository now, or to one for the first time. */
  restart(): void {
    if (!this.#active) return;
    for (const listener of [...this.#listeners]) listener.unsure?.();
    release(this.#active);
    this.#clock.clearTimeout(this.#retry);
    this.#startAgain();
  }

  /** Resolves when what was told so far has been followed up. */
  async settled(): Promise<void> {
    const active = await this.#active?.catch(() => undefined);
    await Promise.all((active ?? []).map((watching) => watching.settled?.()));
  }

  #start(): void {
    const active = this.#subscribe();
    this.#active = active;
    active.then(
      () => {
        if (this.#active === active) for (const listener of [...this.#listeners]) this.#tellWatching(listener);
      },
      (error: unknown) => {
        if (this.#active !== active) return;
        this.#log.write('warn', 'a folder cannot be watched', { folder: this.#folder, error: String(error) });
        this.#lost();
      },
    );
  }

  async #subscribe(): Promise<readonly Watching[]> {
    const watcher = this.#watcher;
    const repository = await this.#repositoryFolder().catch(() => undefined);
    const own = join(this.#folder, '.git');
    const files = await watcher.watch(this.#folder, true, this.#filesListener(), [own]);
    this.#isWhole = true;
    if (!repository) return [files];
    const untold = UNTOLD.map((name) => join(repository, name));
    const commits = await watcher.watch(repository, true, this.#repositoryListener(), untold).catch(() => undefined);
    this.#isWhole = commits !== undefined;
    return commits ? [files, commits] : [files];
  }

  #filesListener(): WatchListener {
    return {
      changed: (changes) => this.#touched(changes.map((change) => this.#pathOf(change))),
      missed: () => {
        for (const listener of [...this.#listeners]) this.#tellWatching(listener);
        this.#touched([]);
      },
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
    return { changed: touched, missed: touched, ended };
  }

  #tellWatching(listener: FolderListener): void {
    listener.watching?.();
    if (!this.#isWhole) listener.unsure?.();
  }

  #pathOf({ path }: PathChange): string {
    return relative(this.#folder, path).split(sep).join('/');
  }

  #stop(): void {
    for (const timer of [this.#quiet, this.#patience, this.#retry]) this.#clock.clearTimeout(timer);
    this.#patience = undefined;
    release(this.#active);
    this.#active = undefined;
  }

  /** The folder is gone, or the system has no watches left: both may change. */
  #lost(): void {
    for (const listener of [...this.#listeners]) listener.unsure?.();
    this.#touched([]);
    release(this.#active);
    this.#clock.clearTimeout(this.#retry);
    this.#retry = this.#clock.setTimeout(() => {
      if (this.#listeners.size === 0) return;
      if (!existsSync(this.#folder)) return this.#lost();
      this.#startAgain();
    }, WATCH_RETRY_MS);
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

function release(active: Promise<readonly Watching[]> | undefined): void {
  active?.then(
    (all) => {
      for (const watching of all) watching.stop();
    },
    () => undefined,
  );
}

/** What changes in a repository's folder without a change of what is committed, staged or ignored. */
const UNTOLD = ['objects', 'logs', 'lfs', 'hooks', 'modules'];
