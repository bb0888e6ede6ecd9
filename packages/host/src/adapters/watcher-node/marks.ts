import { type FSWatcher, mkdirSync, mkdtempSync, rmSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Watching } from '../../ports/watcher.js';

/**
 * Finds out when the system has reported all changes up to now: it touches a file in a folder of its own, and once that is
 * reported, so is everything before it. This works on Linux only, where all watches of a process share one queue of events.
 */
export class Marks {
  readonly #given: string | undefined;
  #folder: string | undefined;
  #watcher: FSWatcher | undefined;
  /** Files to reuse. Touching one costs a tenth of creating one, and does not wait for the disk. */
  #free: string[] = [];
  #made = 0;
  readonly #waiting = new Map<string, (isSeen: boolean) => void>();
  readonly #neededBy = new Set<Watching>();

  /** Without a folder it makes a temporary one, which is left behind if the process is killed. */
  constructor(folder: string | undefined) {
    this.#given = folder;
  }

  /** Once all that need the marks have stopped, their folder is not watched either: in Deno a watch keeps the program from exiting. */
  neededBy(watching: Watching): Watching {
    const stop = watching.stop.bind(watching);
    this.#neededBy.add(watching);
    watching.stop = () => {
      stop();
      this.#neededBy.delete(watching);
      this.#stopIfUnneeded();
    };
    return watching;
  }

  readonly caughtUp = async (): Promise<boolean> => {
    const name = this.#free.pop() ?? `${this.#made++}`;
    let isSeen = false;
    try {
      const folder = this.#start();
      const seen = new Promise<boolean>((resolve) => {
        const late = setTimeout(() => onceEventsAreRead(() => resolve(false)), PATIENCE_MS);
        this.#waiting.set(name, (answer) => {
          clearTimeout(late);
          resolve(answer);
        });
      });
      touch(join(folder, name));
      isSeen = await seen;
    } catch {
      this.#stop(); // the folder cannot be created or watched, or somebody removed it: the next call makes another
    }
    this.#waiting.delete(name);
    if (this.#waiting.size === 0) this.#watcher?.unref();
    this.#stopIfUnneeded();
    // A file whose event is still to come must not be reused: that event would answer the next wait too early.
    if (isSeen) this.#free.push(name);
    return isSeen;
  };

  #start(): string {
    this.#folder ??= this.#given === undefined ? temporaryFolder() : made(this.#given);
    if (!this.#watcher) {
      const seen = (_event: string, name: string | null) => this.#waiting.get(name ?? '')?.(true);
      this.#watcher = watch(this.#folder, { persistent: false }, seen);
      this.#watcher.on('error', () => this.#stop());
    }
    this.#watcher.ref(); // the program must not exit while somebody waits
    return this.#folder;
  }

  #stopIfUnneeded(): void {
    if (this.#neededBy.size > 0 || this.#waiting.size > 0) return;
    this.#watcher?.close(); // the folder and its files are used again when something is watched
    this.#watcher = undefined;
  }

  #stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#folder = undefined;
    for (const done of this.#waiting.values()) done(false); // their events will never come
  }
}

/** Milliseconds after which the watches count as not caught up. */
const PATIENCE_MS = 2_000;

/** After a block of the event loop timers come first, and events that have long been there only then. */
function onceEventsAreRead(run: () => void): void {
  setImmediate(() => setImmediate(run)); // the system is asked between the two
}

/** Causes exactly one event, whether the file exists or not. */
function touch(path: string): void {
  try {
    utimesSync(path, 0, 0);
  } catch {
    writeFileSync(path, '');
  }
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'moorage-marks-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
