/** Runs work with the same key one at a time, in the order of the calls. Failed work does not stop what is behind it. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, number>();

  /** How many pieces of work have not ended, including the one that runs. Callers use it to bound the queue. */
  waitingFor(key: string): number {
    return this.#waiting.get(key) ?? 0;
  }

  /** Resolves when all work queued so far has ended. */
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
