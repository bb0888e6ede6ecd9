/** What git said of the user's repository, for as long as nothing in it changes. */
export class RepositoryAnswers {
  readonly #version: () => Promise<number | undefined>;
  readonly #answers = new Map<string, Promise<unknown>>();
  #answered: number | undefined;

  /** Takes what is the same while the repository is, and undefined when that is not known. */
  constructor(version: () => Promise<number | undefined>) {
    this.#version = version;
  }

  /** A question has one kind of answer. */
  async to<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const version = await this.#version();
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
