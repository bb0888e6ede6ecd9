/** Runs work on the same thing one at a time, in the order in which it was asked for. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, number>();

  /** How much has not ended yet, what runs now included. */
  waitingFor(key: string): number {
    return this.#waiting.get(key) ?? 0;
  }

  /** Resolves when nothing of what was asked for so far is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    const settled = result.catch(() => undefined);
    this.#last.set(key, settled);
    this.#waiting.set(key, this.waitingFor(key) + 1);
    try {
      return await result;
    } finally {
      const left = this.waitingFor(key) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
