import type { Freshness } from '../../../ports/workspace.js';

/** A number that changes whenever the repository does; undefined while changes may go unnoticed. */
type Version = (freshness: Freshness) => number | undefined | Promise<number | undefined>;

/** Caches git's answers about the user's repository until something in it changes. */
export class RepositoryAnswers {
  readonly #version: Version;
  readonly #answers = new Map<string, Promise<unknown>>();
  #answeredVersion: number | undefined;

  constructor(version: Version) {
    this.#version = version;
  }

  /** The cached answer, or what `ask` resolves to. `question` is the cache key, so it must always go with the same type. */
  async to<T>(question: string, ask: () => Promise<T>, freshness: Freshness): Promise<T> {
    const version = await this.#version(freshness);
    if (version === undefined) return ask();
    if (version !== this.#answeredVersion) this.#answers.clear();
    this.#answeredVersion = version;
    const known = this.#answers.get(question) as Promise<T> | undefined;
    if (known) return known;
    const answer = ask();
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.get(question) === answer && this.#answers.delete(question));
    return answer;
  }
}
