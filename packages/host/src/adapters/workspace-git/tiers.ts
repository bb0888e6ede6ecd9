import type { Log } from '../../ports/log.js';
import type { Telemetry } from '../../ports/telemetry.js';
import { WorkspaceError } from '../../ports/workspace.js';

/** What is asked of a folder. README.md has the tiers of each, in order, and what they cost. */
export type Question = 'checkpoint' | 'scan' | 'compare' | 'keep' | 'keep-names' | 'count-uncommitted';

/** Why a tier has no answer, so that the next one is asked. */
export type NotHereReason =
  | 'not-tracked' // the watcher may have missed a change, or nothing was read yet
  | 'nothing-known' // there is no earlier result to continue from
  | 'too-many' // git is faster with so many paths, files or objects
  | 'too-large' // git is faster with so many bytes
  | 'store-full'
  | 'ignore-rules' // a .gitignore changed, so other files may count
  | 'attributes' // a .gitattributes file says how to compare, or changed
  | 'submodule'
  | 'nested-repository'
  | 'file-kind' // a file became a folder or a link, or the other way round
  | 'may-be-renamed' // files came and went: git finds out which of them moved
  | 'line-counts' // git's way of counting may come to another result
  | 'not-utf8'
  | 'object-missing' // the user's repository is gone, or lost it
  | 'git-failed'
  | 'tier-failed' // a bug
  | 'system-error'; // a file that vanished or cannot be read, a full disk

export interface NotHere {
  readonly notHere: NotHereReason;
}

export function notHere(reason: NotHereReason): NotHere {
  return { notHere: reason };
}

export function isNotHere(answer: unknown): answer is NotHere {
  return typeof answer === 'object' && answer !== null && 'notHere' in answer;
}

/** The same as `notHere`, from deep inside a tier. Where there is no other tier, the caller gets it. */
export class Unanswerable extends WorkspaceError {
  readonly reason: NotHereReason;

  constructor(reason: NotHereReason) {
    super(`the folder's state cannot be read: ${reason.replaceAll('-', ' ')}`);
    this.reason = reason;
  }
}

/** The result of some work, or undefined if it found itself unanswerable. */
export function ifAnswerable<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof Unanswerable) return undefined;
    throw error;
  });
}

/** A way to answer a question. */
export interface Tier<T> {
  readonly name: string;
  answer(): Promise<T | NotHere>;
}

/** The tier that answers whatever the others cannot. Its errors are the caller's. */
export interface LastTier<T> extends Tier<T> {
  answer(): Promise<T>;
}

export interface TiersOptions {
  readonly telemetry?: Telemetry | undefined;
  readonly log: Log;
}

/** Asks one tier after the other, and counts who answered and why others did not. */
export class Tiers {
  readonly #telemetry: Telemetry | undefined;
  readonly #log: Log;
  readonly #logged = new Set<string>();

  constructor({ telemetry, log }: TiersOptions) {
    this.#telemetry = telemetry;
    this.#log = log;
  }

  /** The answer of the first tier that has one. */
  async first<T>(question: Question, tiers: readonly Tier<T>[], last: LastTier<T>, signal?: AbortSignal): Promise<T> {
    for (const tier of tiers) {
      const answer = await this.only(question, tier, signal);
      if (!isNotHere(answer)) return answer;
    }
    const answer = await last.answer();
    this.answered(question, last.name);
    return answer;
  }

  /** The answer of this tier alone. */
  async only<T>(question: Question, tier: Tier<T>, signal?: AbortSignal): Promise<T | NotHere> {
    const answer = await this.#ask(question, tier, signal);
    if (isNotHere(answer)) this.#count('not_here', question, tier.name, answer.notHere);
    else this.answered(question, tier.name);
    return answer;
  }

  /** Counts an answer. Call this for one that needed no other tier. */
  answered(question: Question, tier: string): void {
    this.#count('answers', question, tier);
  }

  async #ask<T>(question: Question, tier: Tier<T>, signal: AbortSignal | undefined): Promise<T | NotHere> {
    try {
      return await tier.answer();
    } catch (error) {
      if (signal?.aborted) throw error;
      const reason = expectedReason(error);
      if (reason === undefined) this.#reportBug(question, tier.name, error);
      return notHere(reason ?? 'tier-failed');
    }
  }

  /** The next tier answers, so that users lose time and nothing else; tests fail on the error in the log. */
  #reportBug(question: Question, tier: string, error: unknown): void {
    this.#count('tier_failures', question, tier);
    const key = `${question} ${tier}`;
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    const stack = error instanceof Error ? error.stack : String(error);
    this.#log.write('error', 'workspace.tier-failed', 'a bug: the next tier answers, which takes longer', {
      question,
      tier,
      error: stack,
    });
  }

  #count(what: 'answers' | 'not_here' | 'tier_failures', question: Question, tier: string, reason?: string): void {
    if (!this.#telemetry?.isOn) return;
    const attributes = { 'workspace.question': question, 'workspace.tier': tier, 'workspace.reason': reason };
    this.#telemetry.count(`ahp.workspace.${what}`, 1, attributes);
  }
}

/** Undefined for an error that no tier should throw. */
function expectedReason(error: unknown): NotHereReason | undefined {
  if (error instanceof Unanswerable) return error.reason;
  if (error instanceof WorkspaceError) return 'git-failed';
  return error instanceof Error && 'syscall' in error ? 'system-error' : undefined;
}
