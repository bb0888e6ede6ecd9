import type { Clock } from '../../../ports/clock.js';
import type { Freshness, StateId } from '../../../ports/workspace.js';
import { TRACKER_LINGER_MS } from '../limits.js';
import type { FolderWatch } from './folder-watch.js';

/** A state of the folder, and all paths that may have changed since. */
export interface Known {
  readonly state: StateId;
  readonly touched: ReadonlySet<string>;
}

/** A checkpoint that has begun. */
interface Begun {
  /** It found this state. */
  end(state: StateId): void;
  /** It was aborted: the next one continues from the same state as it would have. */
  cancel(): void;
}

/**
 * Knows which paths changed since the last state of a folder, so that the next checkpoint need not scan it. Whenever a
 * change may have been missed, it knows nothing until the next scan.
 */
export class Tracker {
  readonly #watch: FolderWatch;
  readonly #clock: Clock;
  #unwatch: (() => void) | undefined;
  #lingerTimer: unknown;
  /** Whether every change since the watch began has been reported. */
  #isComplete = false;
  #state: StateId | undefined;
  #touched = new Set<string>();
  #repositoryVersion = 0;
  #indexVersion = 0;

  constructor(watch: FolderWatch, clock: Clock) {
    this.#watch = watch;
    this.#clock = clock;
  }

  /** Tracks until some time after the last call. */
  start(): void {
    this.#clock.clearTimeout(this.#lingerTimer);
    this.#lingerTimer = this.#clock.setTimeout(() => this.stop(), TRACKER_LINGER_MS);
    this.#unwatch ??= this.#watch.add({
      touched: (paths) => this.touched(paths),
      unsure: () => this.#loseTrack(),
      repositoryTouched: (onlyIndex) => {
        if (onlyIndex) this.#indexTouched();
        else this.forget();
      },
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
    this.#loseTrack();
  }

  /** Undefined when a change may be missing that an answer of this freshness must have. */
  async known(freshness: Freshness): Promise<Known | undefined> {
    return this.#state !== undefined && (await this.#isAsFresh(freshness)) ? this.reported() : undefined;
  }

  /** Whether everything that changed up to now has been reported, also where the state is not known. */
  async caughtUp(): Promise<boolean> {
    return this.#isComplete && (await this.#watch.caughtUp()) && this.#isComplete;
  }

  /**
   * A number that changes whenever the user's repository, other than its index, or a .gitattributes file in the folder
   * does. Undefined when a change may have been missed.
   */
  repositoryVersion(freshness: Freshness): Promise<number | undefined> {
    return this.#version(freshness, () => this.#repositoryVersion);
  }

  /** The same, for the repository with its index. */
  indexVersion(freshness: Freshness): Promise<number | undefined> {
    return this.#version(freshness, () => this.#indexVersion);
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

  /** Starts a checkpoint: later changes are not part of it. */
  begin(): Begun {
    const touched = new Set<string>();
    const wasComplete = this.#isComplete;
    const [lastState, lastTouched, version] = [this.#state, this.#touched, this.#indexVersion];
    this.#touched = touched;
    this.#state = undefined;
    const isCurrent = () => wasComplete && this.#isComplete && this.#touched === touched;
    return {
      end: (state) => {
        if (isCurrent()) this.#state = state;
      },
      cancel: () => {
        if (!isCurrent()) return;
        for (const path of lastTouched) touched.add(path);
        if (this.#indexVersion === version) this.#state = lastState;
      },
    };
  }

  /** These paths changed. Call this for what the host itself has written: the watcher reports it too, but later. */
  touched(paths: readonly string[]): void {
    for (const path of paths) this.#touched.add(path);
    if (paths.some(isAttributes)) this.#newVersion();
  }

  async #version(freshness: Freshness, current: () => number): Promise<number | undefined> {
    const isFresh = this.#isComplete && (await this.#isAsFresh(freshness));
    return isFresh && this.#isComplete ? current() : undefined;
  }

  async #isAsFresh(freshness: Freshness): Promise<boolean> {
    return freshness === 'watched' || this.#watch.caughtUp();
  }

  #loseTrack(): void {
    this.#isComplete = false;
    this.forget();
  }

  /** Makes the next checkpoint a scan. */
  forget(): void {
    this.#state = undefined;
    this.#newVersion();
  }

  /** Which files are tracked, and so which ignored ones a state has, is in the index as well. */
  #indexTouched(): void {
    this.#state = undefined;
    this.#indexVersion++;
  }

  #newVersion(): void {
    this.#repositoryVersion++;
    this.#indexVersion++;
  }
}

function isAttributes(path: string): boolean {
  return path.endsWith('.gitattributes');
}
