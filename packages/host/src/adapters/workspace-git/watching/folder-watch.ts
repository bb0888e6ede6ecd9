import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Clock } from '../../../ports/clock.js';
import type { Log, LogEvent } from '../../../ports/log.js';
import type { PathChange, WatchError, Watcher, Watching, WatchListener } from '../../../ports/watcher.js';
import type { WorkspaceListener } from '../../../ports/workspace.js';
import { MAX_WATCH_RETRY_MS, WATCH_PATIENCE_MS, WATCH_QUIET_MS, WATCH_RETRY_MS } from '../limits.js';

export interface FolderListener extends WorkspaceListener {
  /** From now until `watching`, changes may go unreported. */
  unsure?(): void;
  /** The user's repository changed: what is committed, staged or ignored may differ. `onlyIndex`: not what is committed, nor settings. */
  repositoryTouched?(onlyIndex: boolean): void;
}

export interface FolderWatchOptions {
  readonly folder: string;
  /** The git folder of the repository that the watched folder belongs to. */
  readonly repositoryFolder: () => Promise<string | undefined>;
  readonly watcher: Watcher;
  readonly clock: Clock;
  readonly log: Log;
}

interface Watched {
  readonly all: readonly Watching[];
  readonly coversRepository: boolean;
}

/** Watches a folder while it has listeners, with one system watcher for all of them. */
export class FolderWatch {
  readonly #folder: string;
  readonly #repositoryFolder: () => Promise<string | undefined>;
  readonly #watcher: Watcher;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<FolderListener>();
  /** Undefined while nobody listens, and after a loss until the next try. */
  #active: Promise<Watched> | undefined;
  /** False if the user's repository may have changes that are not reported: listeners then hear `unsure`. */
  #coversRepository = false;
  /** Changes in some new folder are not reported, for lack of watches; completing the watch is retried. */
  #isPartial = false;
  #quiet: unknown;
  #patience: unknown;
  #retry: unknown;
  #completion: unknown;
  /** Failed attempts since the folder was last watched completely. */
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
      const announce = () =>
        this.#active === active && this.#listeners.has(listener) && this.#announceWatching(listener);
      active.then(announce, () => undefined); // #start handles the failure
    } else if (this.#retry === undefined) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Call this when the folder belongs to another repository now, or to one for the first time. */
  restart(): void {
    if (!this.#active && this.#retry === undefined) return;
    for (const listener of [...this.#listeners]) listener.unsure?.();
    this.#release();
    this.#startAgain();
  }

  /** Resolves to whether every change made so far has been reported. */
  async caughtUp(): Promise<boolean> {
    if (!(await this.#watcher.caughtUp?.())) return false;
    const active = await this.#active?.catch(() => undefined);
    await Promise.all((active?.all ?? []).map((watching) => watching.settled?.()));
    return true;
  }

  #start(): void {
    this.#coversRepository = false;
    this.#isPartial = false;
    const active = this.#subscribe();
    this.#active = active;
    active.then(
      ({ coversRepository }) => {
        if (this.#active !== active) return;
        this.#coversRepository = coversRepository;
        if (!this.#isPartial) this.#failures = 0;
        for (const listener of [...this.#listeners]) this.#announceWatching(listener);
      },
      (error: unknown) => {
        if (this.#active !== active) return;
        this.#failed('folder.watch-failed', 'a folder cannot be watched', error);
        this.#lost();
      },
    );
  }

  async #subscribe(): Promise<Watched> {
    const watcher = this.#watcher;
    let coversRepository = true;
    const notCovered = () => {
      coversRepository = false;
      return undefined;
    };
    const repository = await this.#repositoryFolder().catch(notCovered);
    const own = join(this.#folder, '.git');
    const files = await watcher.watch(this.#folder, true, this.#filesListener(), { except: [own] });
    if (!repository) return { all: [files], coversRepository };
    const except = UNWATCHED.map((name) => join(repository, name));
    const commits = await watcher
      .watch(repository, true, this.#repositoryListener(repository), { except })
      .catch(notCovered);
    return { all: commits ? [files, commits] : [files], coversRepository };
  }

  #filesListener(): WatchListener {
    return {
      changed: (changes) => this.#touched(changes.map((change) => this.#pathOf(change))),
      missed: () => {
        for (const listener of [...this.#listeners]) this.#announceWatching(listener);
        this.#touched([]);
      },
      partial: (error) => this.#partial(error),
      ended: () => this.#lost(),
    };
  }

  #repositoryListener(repository: string): WatchListener {
    const touched = (changes?: readonly PathChange[]) => {
      const onlyIndex = changes?.every(({ path }) => isIndex(repository, path)) ?? false;
      for (const listener of [...this.#listeners]) listener.repositoryTouched?.(onlyIndex);
      this.#touched([]);
    };
    const ended = () => {
      touched();
      this.restart(); // another repository may have replaced it
    };
    return { changed: touched, missed: () => touched(), partial: (error) => this.#partial(error), ended };
  }

  /** The system has no watches left for a new folder. Changes in the other folders are still reported. */
  #partial(error: WatchError): void {
    this.#isPartial = true;
    for (const listener of [...this.#listeners]) listener.unsure?.();
    if (this.#completion !== undefined) return; // already logged, and being retried
    this.#failed('folder.watch-incomplete', 'a folder is not watched as a whole', error);
    this.#completeLater();
  }

  #completeLater(): void {
    this.#completion = this.#clock.setTimeout(() => void this.#complete(), this.#retryDelay);
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
    for (const listener of [...this.#listeners]) this.#announceWatching(listener);
    this.#touched([]); // changes in between were not reported
  }

  #failed(event: LogEvent, message: string, error: unknown): void {
    const level = this.#failures++ === 0 ? 'warn' : 'debug';
    this.#log.write(level, event, message, { folder: this.#folder, error: String(error) });
  }

  /** Doubles with each failure, because each attempt walks the whole folder. */
  get #retryDelay(): number {
    return Math.min(WATCH_RETRY_MS * 2 ** Math.max(0, this.#failures - 1), MAX_WATCH_RETRY_MS);
  }

  #announceWatching(listener: FolderListener): void {
    listener.watching?.();
    if (!this.#coversRepository || this.#isPartial) listener.unsure?.();
  }

  #pathOf({ path }: PathChange): string {
    return relative(this.#folder, path).split(sep).join('/');
  }

  #stop(): void {
    for (const timer of [this.#quiet, this.#patience]) this.#clock.clearTimeout(timer);
    this.#patience = undefined;
    this.#release();
  }

  /** The folder is gone, or the system has no watches left. Either may change, so watching is retried. */
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
    }, this.#retryDelay);
  }

  /** Stops watching, and any retries. */
  #release(): void {
    this.#clock.clearTimeout(this.#retry);
    this.#clock.clearTimeout(this.#completion);
    this.#retry = undefined;
    this.#completion = undefined;
    stopAll(this.#active);
    this.#active = undefined;
  }

  /** Starts, then reports a change of unknown paths: changes in between were not reported. */
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

function stopAll(active: Promise<Watched> | undefined): void {
  active?.then(
    ({ all }) => {
      for (const watching of all) watching.stop();
    },
    () => undefined,
  );
}

/** Whether this is the index of the repository or of one of its work trees, or what is to replace it. */
function isIndex(repository: string, path: string): boolean {
  const folder = dirname(path);
  const holdsIndex = folder === repository || dirname(folder) === join(repository, 'worktrees');
  return holdsIndex && INDEX_FILE.test(basename(path));
}

/** Also git's lock, and the one that the host's editor of indexes renames. */
const INDEX_FILE = /^index(?:\.lock|\.moorage-[0-9a-f-]+)?$/;

/** Parts of a git folder that do not affect what is committed, staged or ignored. */
const UNWATCHED = ['objects', 'logs', 'lfs', 'hooks', 'modules'];
