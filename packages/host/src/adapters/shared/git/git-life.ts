import { WorkspaceError } from '../../../ports/workspace.js';
import { Git, type GitUser } from './git.js';

/** All git work of one adapter, from its creation to its close. */
export class GitLife {
  readonly #user: GitUser;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(user: Pick<GitUser, 'telemetry' | 'rules'>) {
    this.#user = user;
  }

  /** Git for work that `end` may cancel without losing anything; for `run`. */
  git(folder: string): Git {
    return new Git({ ...this.#user, folder, signal: this.#ending.signal });
  }

  /** Git for work that must not be cancelled because it changes the user's files; for `finish`. */
  lastingGit(folder: string): Git {
    return new Git({ ...this.#user, folder });
  }

  /** Runs work of which `end` cancels the git. Rejects as soon as the signal is aborted. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#ending.signal.aborted) return Promise.reject(new WorkspaceError('the host is stopping'));
    if (signal?.aborted) return Promise.reject(new WorkspaceError(NOT_WANTED));
    return unlessAborted(this.#track(work()), signal);
  }

  /** Runs work that `end` waits for. */
  finish<T>(work: () => Promise<T>): Promise<T> {
    return this.#track(work());
  }

  /** Cancels what may be cancelled, waits for the rest. True if work was under way: a killed git may leave files. */
  async end(): Promise<boolean> {
    const wasBusy = this.#underWay.size > 0;
    this.#ending.abort();
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    return wasBusy;
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = () => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }
}

const NOT_WANTED = 'the call was aborted because its result is no longer wanted';

/** Rejects as soon as the signal is aborted; what the work runs hears of it by itself. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new WorkspaceError(NOT_WANTED));
    const done = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(done);
  });
}
