import { relative, sep } from 'node:path';
import { subscribe } from '@parcel/watcher';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { WorkspaceListener } from '../../ports/workspace.js';
import { WATCH_PATIENCE_MS, WATCH_QUIET_MS } from './limits.js';

/** Watches a folder while somebody wants to know: one watcher of the system, however many listen. */
export class FolderWatch {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<WorkspaceListener>();
  #stop: (() => void) | undefined;
  #quiet: unknown;
  #patience: unknown;

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  add(listener: WorkspaceListener): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #start(): () => void {
    const subscription = subscribe(this.#folder, (error, events) => {
      // Lost events mean that anything may have changed: everything is looked at, as after any other change.
      if (error) this.#log.write('warn', 'the watcher of a folder failed', { error: error.message });
      const paths = events?.map((event) => relative(this.#folder, event.path).split(sep).join('/')) ?? [];
      if (error || paths.length > 0) this.#touched(paths);
    });
    subscription.catch((error: unknown) =>
      this.#log.write('warn', 'a folder cannot be watched', { error: String(error) }),
    );
    return () => {
      this.#clock.clearTimeout(this.#quiet);
      this.#clock.clearTimeout(this.#patience);
      this.#patience = undefined;
      subscription.then((active) => active.unsubscribe()).catch(() => undefined);
    };
  }

  #touched(paths: readonly string[]): void {
    for (const listener of this.#listeners) listener.touched?.(paths);
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
