import { AsyncLocalStorage } from 'node:async_hooks';
import type { Telemetry } from '../../../ports/telemetry.js';
import { WorkspaceError } from '../../../ports/workspace.js';

/** For whom git runs: who is told of it, and until when it may. */
export interface GitUser {
  readonly telemetry?: Telemetry | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Follows the work through all that it awaits, so that two hosts in one program do not hear of each other's git. */
const users = new AsyncLocalStorage<GitUser>();

export function gitUser(): GitUser {
  return users.getStore() ?? {};
}

export function asGitUser<T>(user: GitUser, work: () => T): T {
  return users.run(user, work);
}

/** All work with git of one adapter, from its making to its close. */
export class GitLife {
  readonly #telemetry: Telemetry | undefined;
  readonly #end = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(telemetry: Telemetry | undefined) {
    this.#telemetry = telemetry;
  }

  /** Work that is given up when the life ends: nothing is lost by it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#end;
    if (signal.aborted) return Promise.reject(new WorkspaceError('the host is stopping'));
    return this.#wait(asGitUser({ telemetry: this.#telemetry, signal }, work));
  }

  /** Work that must not be cut off, as it changes files of the user's: the end waits for it. */
  finish<T>(work: () => Promise<T>): Promise<T> {
    return this.#wait(asGitUser({ telemetry: this.#telemetry }, work));
  }

  /** Resolves when nothing runs any more; true when something had to be given up, of which git may leave traces. */
  async end(): Promise<boolean> {
    const isCutOff = this.#underWay.size > 0;
    this.#end.abort();
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    return isCutOff;
  }

  #wait<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = () => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }
}

/** The same object, whose methods all run in this way. */
export function eachCall<T extends object>(target: T, run: <R>(work: () => Promise<R>) => Promise<R>): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => run(async () => member.apply(object, given));
    },
  });
}
