/** Promises by key that are settled from outside. Waiting twice for a key returns the same promise. */
export class Waiting<T> {
  readonly #waiters = new Map<string, { promise: Promise<T>; resolve: (value: T) => void }>();

  wait(key: string): Promise<T> {
    const known = this.#waiters.get(key);
    if (known) return known.promise;
    let resolve: (value: T) => void = () => {};
    const promise = new Promise<T>((done) => {
      resolve = done;
    });
    this.#waiters.set(key, { promise, resolve });
    return promise;
  }

  has(key: string): boolean {
    return this.#waiters.has(key);
  }

  /** Returns whether anything waited for the key. */
  settle(key: string, value: T): boolean {
    const waiter = this.#waiters.get(key);
    this.#waiters.delete(key);
    waiter?.resolve(value);
    return waiter !== undefined;
  }

  settleAll(value: T): void {
    for (const key of [...this.#waiters.keys()]) this.settle(key, value);
  }
}
