/** Says a number that is the same while the repository is, or undefined when that is not known. */
type Version = (asTold: boolean) => number | undefined | Promise<number | undefined>;

/** What git said of the user's repository, for as long as nothing in it changes. */
export class RepositoryAnswers {
  readonly #version: Version;
  readonly #answers = new Map<string, Promise<unknown>>();
  #answered: number | undefined;

  constructor(version: Version) {
    this.#version = version;
  }

  /** A question has one kind of answer. With `asTold`, what happened in the last moments may be missing in it. */
  async to<T>(question: string, ask: () => Promise<T>, asTold = false): Promise<T> {
    const version = await this.#version(asTold);
    if (version === undefined) return ask();
    if (version !== this.#answered) this.#answers.clear();
    this.#answered = version;
    const known = this.#answers.get(question) as Promise<T> | undefined;
    if (known) return known;
    const answer = ask();
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.get(question) === answer && this.#answers.delete(question));
    return answer;
  }
}
