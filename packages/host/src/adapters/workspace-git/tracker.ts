import { type FSWatcher, mkdirSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { StateId } from '../../ports/workspace.js';
import { DRAIN_PATIENCE_MS, TRACKER_LINGER_MS } from './limits.js';
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
  #repositoryVersion = 0;

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
        if (paths.some(isAttributes)) this.#repositoryVersion++;
      },
      unsure: () => this.#lose(),
      repositoryTouched: () => this.forget(),
      watching: () => {
        this.#complete = true;
        this.forget();
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
    return this.#state !== undefined && (await this.#hasToldAll()) ? this.told() : undefined;
  }

  /**
   * While it is the same, nothing in the user's repository has changed, nor have the attributes of files in the folder.
   * Undefined when something may be missing.
   */
  async repositoryVersion(): Promise<number | undefined> {
    return this.#complete && (await this.#hasToldAll()) ? this.toldRepositoryVersion() : undefined;
  }

  /** The same as far as the system has told. */
  toldRepositoryVersion(): number | undefined {
    return this.#complete ? this.#repositoryVersion : undefined;
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

  async #hasToldAll(): Promise<boolean> {
    if (!(await this.#marks.passed())) return false;
    await this.#watch.settled();
    return true;
  }

  #lose(): void {
    this.#complete = false;
    this.forget();
  }

  /** The next look is at everything. */
  forget(): void {
    this.#state = undefined;
    this.#repositoryVersion++;
  }
}

function isAttributes(path: string): boolean {
  return path.endsWith('.gitattributes');
}

/**
 * Tells when all events up to now have been told: a mark in a folder of the host's own is touched, and when the system tells of
 * it, all that came before has been told. Only on Linux do all watches share one queue of events.
 */
class Marks {
  readonly #folder: string;
  readonly #clock: Clock;
  #watcher: FSWatcher | undefined;
  /** Files that nobody waits for. Touching one costs a tenth of making a new one, and waits for no disk. */
  #free: string[] = [];
  #made = 0;
  readonly #waiting = new Map<string, (isSeen: boolean) => void>();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async passed(): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    const name = this.#free.pop() ?? `${this.#made++}`;
    let isSeen = false;
    try {
      this.#watcher ??= this.#start();
      this.#watcher.ref(); // somebody waits for it
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
      // without its folder nothing can be marked
    }
    this.#waiting.delete(name);
    if (this.#waiting.size === 0) this.#watcher?.unref();
    // One whose event is still to come would tell the next who waits for it too early.
    if (isSeen) this.#free.push(name);
    return isSeen;
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    for (const done of this.#waiting.values()) done(false); // nobody will tell of them
  }

  /** One event, whether it is there already or not. */
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
