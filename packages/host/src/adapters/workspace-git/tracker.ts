import { mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type AsyncSubscription, subscribe } from '@parcel/watcher';
import type { Clock } from '../../ports/clock.js';
import type { StateId } from '../../ports/workspace.js';
import { DRAIN_PATIENCE_MS, DRAIN_TAIL_MS, TRACKER_LINGER_MS } from './limits.js';
import type { FolderWatch } from './watch.js';

/** A state, and all that may have changed since. */
export interface Known {
  readonly state: StateId;
  readonly touched: ReadonlySet<string>;
}

/**
 * Knows which paths changed since the last look at a folder, so that the next look need not be at all of them. Whenever
 * it may have missed something it knows nothing, until the next look at everything.
 */
export class Tracker {
  readonly #watch: FolderWatch;
  readonly #marks: Marks;
  readonly #clock: Clock;
  #unwatch: (() => void) | undefined;
  #rest: unknown;
  #complete = false;
  #state: StateId | undefined;
  #touched = new Set<string>();

  constructor(watch: FolderWatch, directory: string, clock: Clock) {
    this.#watch = watch;
    this.#marks = new Marks(join(directory, 'marks'), clock);
    this.#clock = clock;
  }

  /** Goes on for a while after it was last needed. */
  start(): void {
    this.#clock.clearTimeout(this.#rest);
    this.#rest = this.#clock.setTimeout(() => this.stop(), TRACKER_LINGER_MS);
    this.#unwatch ??= this.#watch.add({
      touched: (paths) => {
        for (const path of paths) this.#touched.add(path);
      },
      unsure: () => this.#lose(),
      repositoryTouched: () => {
        this.#state = undefined;
      },
      watching: () => {
        this.#complete = true;
        this.#state = undefined;
      },
    });
  }

  stop(): void {
    this.#clock.clearTimeout(this.#rest);
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#marks.close();
    this.#lose();
  }

  /** What is known now: everything that happened before the call is in it. Undefined when something may be missing. */
  async known(): Promise<Known | undefined> {
    if (this.#state === undefined || !(await this.#marks.passed())) return undefined;
    await this.#watch.settled();
    return this.told();
  }

  /** The same as far as the system has told: what happened in the last moments may be missing. */
  told(): Known | undefined {
    return this.#state === undefined ? undefined : { state: this.#state, touched: this.#touched };
  }

  /** A look begins: from here on what is touched is not in it. Gives back how to say what it found. */
  look(): (state: StateId) => void {
    const touched = new Set<string>();
    const complete = this.#complete;
    this.#touched = touched;
    this.#state = undefined;
    return (state) => {
      if (complete && this.#complete && this.#touched === touched) this.#state = state;
    };
  }

  #lose(): void {
    this.#complete = false;
    this.#state = undefined;
  }
}

/**
 * Tells when all events up to now have been told: a mark is put into a folder of the host's own, and when the watcher tells
 * of it, all that came before has been told. Only on Linux do all folders share one queue of events.
 */
class Marks {
  readonly #folder: string;
  readonly #clock: Clock;
  #watching: Promise<AsyncSubscription> | undefined;
  #next = 0;
  readonly #waiting = new Map<string, () => void>();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async passed(): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    try {
      this.#watching ??= this.#start();
      await this.#watching;
      const name = `${this.#next++}`;
      const seen = new Promise<boolean>((resolve) => {
        const late = this.#clock.setTimeout(() => resolve(false), DRAIN_PATIENCE_MS);
        this.#waiting.set(name, () => {
          this.#clock.clearTimeout(late);
          // The watcher tells the listeners of one batch one after the other: give the last of them its turn.
          this.#clock.setTimeout(() => resolve(true), DRAIN_TAIL_MS);
        });
      });
      await writeFile(join(this.#folder, name), '');
      const passed = await seen;
      this.#waiting.delete(name);
      await rm(join(this.#folder, name), { force: true });
      return passed;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#watching?.then((active) => active.unsubscribe()).catch(() => undefined);
    this.#watching = undefined;
  }

  #start(): Promise<AsyncSubscription> {
    mkdirSync(this.#folder, { recursive: true });
    return subscribe(this.#folder, (_error, events) => {
      for (const { path } of events ?? []) this.#waiting.get(basename(path))?.();
    });
  }
}
