import { WorkspaceError } from '../../../ports/workspace.js';
import { GIT_TIMEOUT_MS, MAX_GIT_PER_FOLDER, MAX_GIT_PROCESSES, SLOW_GIT_MS } from './limits.js';

interface Waiting {
  readonly folder: string;
  start(): void;
}

/**
 * Decides when a git may start. Each folder has a few places of its own, so a folder whose git hangs keeps only its own
 * sessions waiting. Over all folders only gits that have just started count: one that runs for long waits for its disk.
 */
export class GitSlots {
  readonly #perFolder = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #young = 0;

  /** Resolves to a function that gives the place back. Rejects if none is free in time, or when the signal says so. */
  take(folder: string, signal: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        folder,
        start: () => {
          settle();
          resolve(this.#occupy(folder));
        },
      };
      const settle = () => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', abort);
      };
      const giveUp = (error: Error) => {
        settle();
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(error);
      };
      const abort = () => giveUp(new WorkspaceError('git was cancelled before it started'));
      const limit = setTimeout(() => {
        const seconds = Math.round(GIT_TIMEOUT_MS / 1000);
        giveUp(new WorkspaceError(`git could not start within ${seconds} s, because it hangs in ${folder}`));
      }, GIT_TIMEOUT_MS);
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiting);
      this.#startWaiting();
    });
  }

  #occupy(folder: string): () => void {
    this.#perFolder.set(folder, this.#runningIn(folder) + 1);
    this.#young++;
    let isYoung = true;
    const grow = () => {
      if (isYoung) this.#young--;
      isYoung = false;
      this.#startWaiting();
    };
    const slow = setTimeout(grow, SLOW_GIT_MS).unref();
    return () => {
      clearTimeout(slow);
      const left = this.#runningIn(folder) - 1;
      if (left > 0) this.#perFolder.set(folder, left);
      else this.#perFolder.delete(folder);
      grow();
    };
  }

  #startWaiting(): void {
    while (this.#young < MAX_GIT_PROCESSES) {
      const next = this.#waiting.findIndex(({ folder }) => this.#runningIn(folder) < MAX_GIT_PER_FOLDER);
      if (next < 0) return;
      this.#waiting.splice(next, 1)[0]?.start();
    }
  }

  #runningIn(folder: string): number {
    return this.#perFolder.get(folder) ?? 0;
  }
}
