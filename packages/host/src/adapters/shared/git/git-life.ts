import { AsyncLocalStorage } from 'node:async_hooks';
import type { Telemetry } from '../../../ports/telemetry.js';
import { WorkspaceError } from '../../../ports/workspace.js';
import type { RepositoryRules } from './repository-rules.js';

/** On whose behalf git runs: where it is measured, what cancels it, and which repositories it may use. */
export interface GitUser {
  readonly telemetry?: Telemetry | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the result of this one call is no longer wanted. */
  readonly callSignal?: AbortSignal | undefined;
  readonly rules?: RepositoryRules | undefined;
  /** The folder that the work is about; if it hangs there, only that folder waits. */
  readonly folder?: string | undefined;
}

/** Follows the work through everything it awaits, so that two hosts in one program do not measure each other's git. */
const users = new AsyncLocalStorage<GitUser>();

export function gitUser(): GitUser {
  return users.getStore() ?? {};
}

export function asGitUser<T>(user: GitUser, work: () => T): T {
  return users.run(user, work);
}

/** Runs work whose result other calls wait for too: aborting the call that happens to start it does not stop it. */
export function asSharedWork<T>(work: () => T): T {
  return asGitUser({ ...gitUser(), callSignal: undefined }, work);
}

/** All git work of one adapter, from its creation to its close. */
export class GitLife {
  readonly #user: GitUser;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(user: GitUser) {
    this.#user = user;
  }

  /** Runs work that `end`, or the call's own signal, may cancel without losing anything. */
  run<T>(work: () => Promise<T>, folder?: string, callSignal?: AbortSignal): Promise<T> {
    const { signal } = this.#ending;
    if (signal.aborted) return Promise.reject(new WorkspaceError('the host is stopping'));
    if (callSignal?.aborted) return Promise.reject(new WorkspaceError(NOT_WANTED));
    return unlessAborted(this.#track(asGitUser({ ...this.#user, signal, callSignal, folder }, work)), callSignal);
  }

  /** Runs work that must not be cancelled because it changes the user's files: `end` waits for it. */
  finish<T>(work: () => Promise<T>, folder?: string): Promise<T> {
    return this.#track(asGitUser({ ...this.#user, folder }, work));
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

/** The same object, with each method call passed through `run`. */
export function eachCall<T extends object>(target: T, run: <R>(work: () => Promise<R>) => Promise<R>): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => run(async () => member.apply(object, given));
    },
  });
}
