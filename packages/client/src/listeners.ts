interface Entry<A extends readonly unknown[]> {
  readonly call: (...args: A) => void;
}

/** Functions to call when something happens. One that throws does not stop the others. */
export class Listeners<A extends readonly unknown[]> {
  /** Replaced, never changed: listeners added during a call are not part of it. */
  #all: readonly Entry<A>[] = [];
  readonly #onThrow: (error: unknown) => void;

  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  get size(): number {
    return this.#all.length;
  }

  /** The returned function takes the listener off again. */
  add(listener: (...args: A) => void): () => void {
    const entry = { call: listener };
    this.#all = [...this.#all, entry];
    return () => {
      this.#all = this.#all.filter((other) => other !== entry);
    };
  }

  emit(...args: A): void {
    const all = this.#all;
    for (const entry of all) {
      if (all !== this.#all && !this.#all.includes(entry)) continue; // taken off by a listener before it
      try {
        entry.call(...args);
      } catch (error) {
        this.#onThrow(error);
      }
    }
  }

  clear(): void {
    this.#all = [];
  }
}
