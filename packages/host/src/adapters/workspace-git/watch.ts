import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type AsyncSubscription, type Event, subscribe } from '@parcel/watcher';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { WorkspaceListener } from '../../ports/workspace.js';
import { MAX_CHECKED_FOLDERS, WATCH_PATIENCE_MS, WATCH_QUIET_MS, WATCH_RETRY_MS } from './limits.js';

export interface FolderListener extends WorkspaceListener {
  /** From now on changes may go unseen, until `watching`. */
  unsure?(): void;
  /** Every change from now on is told. */
  watching?(): void;
  /** Something in the folder of the repository changed: what is committed, staged or ignored may be other. */
  repositoryTouched?(): void;
}

/** Watches a folder while somebody wants to know: one watcher of the system, however many listen. */
export class FolderWatch {
  readonly #folder: string;
  readonly #repositoryFolder: () => Promise<string | undefined>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<FolderListener>();
  #active: Promise<readonly AsyncSubscription[]> | undefined;
  #quiet: unknown;
  #patience: unknown;
  #retry: unknown;
  #incomplete = false;

  constructor(folder: string, repositoryFolder: () => Promise<string | undefined>, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#repositoryFolder = repositoryFolder;
    this.#clock = clock;
    this.#log = log;
  }

  add(listener: FolderListener): () => void {
    this.#listeners.add(listener);
    if (!this.#active) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    const active = this.#subscribe();
    this.#active = active;
    active.then(
      () => {
        if (this.#active === active) for (const listener of [...this.#listeners]) listener.watching?.();
      },
      (error: unknown) => {
        if (this.#active !== active) return;
        this.#log.write('warn', 'a folder cannot be watched', { folder: this.#folder, error: String(error) });
        this.#retryLater();
      },
    );
  }

  async #subscribe(): Promise<readonly AsyncSubscription[]> {
    const own = join(this.#folder, '.git');
    const files = subscribe(this.#folder, (error, events) => this.#filesTouched(error, events), { ignore: [own] });
    const repository = await this.#repositoryFolder().catch(() => undefined);
    const ignore = UNTOLD.map((name) => join(repository ?? '', name));
    const commits = repository && subscribe(repository, () => this.#repositoryTouched(), { ignore });
    return Promise.all(commits ? [files, commits] : [files]);
  }

  #stop(): void {
    for (const timer of [this.#quiet, this.#patience, this.#retry]) this.#clock.clearTimeout(timer);
    this.#patience = undefined;
    release(this.#active);
    this.#active = undefined;
  }

  /** A new watcher first, then the old one goes: what happens in between is told by both. */
  #restart(): void {
    for (const listener of [...this.#listeners]) listener.unsure?.();
    const before = this.#active;
    this.#start();
    Promise.resolve(this.#active).then(
      () => {
        release(before);
        this.#touched([]); // what went unseen must be looked for
      },
      () => release(before),
    );
  }

  /** The folder is gone, or the system has no watchers left: both may change. */
  #retryLater(): void {
    for (const listener of [...this.#listeners]) listener.unsure?.();
    this.#clock.clearTimeout(this.#retry);
    this.#retry = this.#clock.setTimeout(() => {
      if (this.#listeners.size === 0) return;
      if (existsSync(this.#folder)) this.#restart();
      else this.#retryLater();
    }, WATCH_RETRY_MS);
  }

  #filesTouched(error: Error | null, events: readonly Event[] | undefined): void {
    if (error) {
      this.#log.write('warn', 'the watcher of a folder failed', { error: error.message });
      this.#retryLater();
    }
    if (!existsSync(this.#folder)) this.#retryLater();
    const paths = events?.map(({ path }) => relative(this.#folder, path).split(sep).join('/')) ?? [];
    if (error || paths.length > 0) this.#touched(paths);
    void this.#lookForUnwatched((events ?? []).filter(({ type }) => type === 'create').map(({ path }) => path));
  }

  /**
   * The watcher follows a new folder, but not the folders that were in it already when it noticed: several made at once,
   * or one moved here. Then it is started anew.
   */
  async #lookForUnwatched(created: readonly string[]): Promise<void> {
    if (created.length > MAX_CHECKED_FOLDERS) this.#incomplete = true;
    else {
      const lists = await Promise.all(created.map((path) => readdir(path, { withFileTypes: true }).catch(() => [])));
      if (lists.flat().some((entry) => entry.isDirectory())) this.#incomplete = true;
    }
    if (this.#incomplete) for (const listener of [...this.#listeners]) listener.unsure?.();
  }

  #repositoryTouched(): void {
    for (const listener of [...this.#listeners]) listener.repositoryTouched?.();
    this.#touched([]);
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
    if (!this.#incomplete || this.#listeners.size === 0) return;
    this.#incomplete = false;
    this.#restart();
  }
}

/** What changes in a repository's folder without a change of what is committed, staged or ignored. */
const UNTOLD = ['objects', 'logs', 'lfs', 'hooks', 'modules', 'FETCH_HEAD', 'gc.log', 'gc.pid'];

function release(active: Promise<readonly AsyncSubscription[]> | undefined): void {
  active?.then((all) => Promise.all(all.map((one) => one.unsubscribe()))).catch(() => undefined);
}
