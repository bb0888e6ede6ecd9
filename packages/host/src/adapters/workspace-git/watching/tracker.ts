import { type FSWatcher, mkdirSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../ports/clock.js';
import type { Freshness, StateId } from '../../../ports/workspace.js';
import { DRAIN_PATIENCE_MS, TRACKER_LINGER_MS } from '../limits.js';
import type { FolderWatch } from './folder-watch.js';

/** A state of the folder, and all paths that may have changed since. */
export interface Known {
  readonly state: StateId;
  readonly touched: ReadonlySet<string>;
}

/**
 * Knows which paths changed since the last state of a folder, so that the next checkpoint need not scan it. Whenever a
 * change may have been missed, it knows nothing until the next scan.
 */
export class Tracker {
  readonly #watch: FolderWatch;
  readonly #marks: Marks;
  readonly #clock: Clock;
  #unwatch: (() => void) | undefined;
  #lingerTimer: unknown;
  /** Whether every change since the watch began has been reported. */
  #isComplete = false;
  #state: StateId | undefined;
  #touched = new Set<string>();
  #repositoryVersion = 0;

  constructor(watch: FolderWatch, directory: string, clock: Clock) {
    this.#watch = watch;
    this.#marks = new Marks(join(directory, 'marks'), clock);
    this.#clock = clock;
  }

  /** Tracks until some time after the last call. */
  start(): void {
    this.#clock.clearTimeout(this.#lingerTimer);
    this.#lingerTimer = this.#clock.setTimeout(() => this.stop(), TRACKER_LINGER_MS);
    this.#unwatch ??= this.#watch.add({
      touched: (paths) => {
        for (const path of paths) this.#touched.add(path);
        if (paths.some(isAttributes)) this.#repositoryVersion++;
      },
      unsure: () => this.#loseTrack(),
      repositoryTouched: () => this.forget(),
      watching: () => {
        this.#isComplete = true;
        this.forget();
      },
    });
  }

  stop(): void {
    this.#clock.clearTimeout(this.#lingerTimer);
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#marks.close();
    this.#loseTrack();
  }

  /** Undefined when a change may be missing that an answer of this freshness must have. */
  async known(freshness: Freshness): Promise<Known | undefined> {
    return this.#state !== undefined && (await this.#isAsFresh(freshness)) ? this.reported() : undefined;
  }

  /**
   * A number that changes whenever the user's repository or a .gitattributes file in the folder does. Undefined when a
   * change may have been missed.
   */
  async repositoryVersion(freshness: Freshness): Promise<number | undefined> {
    const isFresh = this.#isComplete && (await this.#isAsFresh(freshness));
    return isFresh && this.#isComplete ? this.#repositoryVersion : undefined;
  }

  /** What `known` gives for `watched`, at once. */
  reported(): Known | undefined {
    return this.#state === undefined ? undefined : { state: this.#state, touched: this.#touched };
  }

  /** The state, if nothing was reported since; without waiting for the watcher. */
  unchanged(): StateId | undefined {
    return this.#touched.size === 0 ? this.#state : undefined;
  }

  /** Every path that was touched since the last checkpoint began; undefined when one may be missing. */
  everyChange(): ReadonlySet<string> | undefined {
    return this.#isComplete ? this.#touched : undefined;
  }

  /** Starts a checkpoint: later changes are not part of it. Call the returned function with the state that was found. */
  begin(): (state: StateId) => void {
    const touched = new Set<string>();
    const wasComplete = this.#isComplete;
    this.#touched = touched;
    this.#state = undefined;
    return (state) => {
      if (wasComplete && this.#isComplete && this.#touched === touched) this.#state = state;
    };
  }

  async #isAsFresh(freshness: Freshness): Promise<boolean> {
    if (freshness === 'watched') return true;
    if (!(await this.#marks.caughtUp())) return false;
    await this.#watch.settled();
    return true;
  }

  #loseTrack(): void {
    this.#isComplete = false;
    this.forget();
  }

  /** Makes the next checkpoint a scan. */
  forget(): void {
    this.#state = undefined;
    this.#repositoryVersion++;
  }
}

function isAttributes(path: string): boolean {
  return path.endsWith('.gitattributes');
}

/**
 * Finds out when the system has reported all changes up to now: it touches a file in a folder of the host's, and once
 * that is reported, so is everything before it. This works on Linux only, where all watches share one queue of events.
 */
class Marks {
  readonly #folder: string;
  readonly #clock: Clock;
  #watcher: FSWatcher | undefined;
  /** Files to reuse. Touching one costs a tenth of creating one, and does not wait for the disk. */
  #free: string[] = [];
  #made = 0;
  readonly #waiting = new Map<string, (isSeen: boolean) => void>();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async caughtUp(): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    const name = this.#free.pop() ?? `${this.#made++}`;
    let isSeen = false;
    try {
      this.#watcher ??= this.#start();
      this.#watcher.ref(); // the program must not exit while this waits
      const seen = new Promise<boolean>((resolve) => {
        const late = this.#clock.setTimeout(() => resolve(false), DRAIN_PATIENCE_MS);
        this.#waiting.set(name, (answer) => {
          this.#clock.clearTimeout(late);
          resolve(answer);
        });
      });
      this.#touch(join(this.#folder, name));
      isSeen = await seen;
    } catch {
      // the folder cannot be created or watched
    }
    this.#waiting.delete(name);
    if (this.#waiting.size === 0) this.#watcher?.unref();
    // A file whose event is still to come must not be reused: that event would answer the next wait too early.
    if (isSeen) this.#free.push(name);
    return isSeen;
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    for (const done of this.#waiting.values()) done(false); // their events will never come
  }

  /** Causes exactly one event, whether the file exists or not. */
  #touch(path: string): void {
    try {
      utimesSync(path, 0, 0);
    } catch {
      writeFileSync(path, '');
    }
  }

  #start(): FSWatcher {
    mkdirSync(this.#folder, { recursive: true });
    const watcher = watch(this.#folder, { persistent: false }, (_event, name) => this.#waiting.get(name ?? '')?.(true));
    watcher.on('error', () => this.close());
    return watcher;
  }
}
