/** Functions to call when something happens. One that throws does not keep the others from being called. */
export class Listeners<A extends readonly unknown[]> {
  readonly #all = new Set<{ readonly call: (...args: A) => void }>();
  readonly #onThrow: (error: unknown) => void;

  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  get size(): number {
    return this.#all.size;
  }

  /** The returned function takes the listener off again. */
  add(listener: (...args: A) => void): () => void {
    const entry = { call: listener };
    this.#all.add(entry);
    return () => {
      this.#all.delete(entry);
    };
  }

  emit(...args: A): void {
    for (const entry of [...this.#all]) {
      if (!this.#all.has(entry)) continue; // taken off by a listener before it
      try {
        entry.call(...args);
      } catch (error) {
        this.#onThrow(error);
      }
    }
  }

  clear(): void {
    this.#all.clear();
  }
}
