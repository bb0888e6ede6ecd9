/** Lets work on one folder through one after the other. */
export class FolderQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, number>();

  waitingFor(folder: string): number {
    return this.#waiting.get(folder) ?? 0;
  }

  /** Resolves when nothing of what was asked for so far is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }

  async run<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(folder);
    const result = (before ?? Promise.resolve()).then(work, work);
    const settled = result.catch(() => undefined);
    this.#last.set(folder, settled);
    this.#waiting.set(folder, this.waitingFor(folder) + 1);
    try {
      return await result;
    } finally {
      const left = this.waitingFor(folder) - 1;
      if (left > 0) this.#waiting.set(folder, left);
      else this.#waiting.delete(folder);
      if (this.#last.get(folder) === settled) this.#last.delete(folder);
    }
  }
}
