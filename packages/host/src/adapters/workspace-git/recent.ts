/** A map that forgets what was used longest ago, so that all it holds weighs no more than it may. */
export class Recent<K, V> {
  readonly #most: number;
  readonly #weigh: (value: V) => number;
  readonly #few: number;
  readonly #entries = new Map<K, V>();
  #weight = 0;

  /** Without a way to weigh them it holds so many values. The newest few stay whatever they weigh. */
  constructor(most: number, weigh: (value: V) => number = () => 1, few = 1) {
    this.#most = most;
    this.#weigh = weigh;
    this.#few = few;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most || this.#entries.size <= this.#few) return;
      this.#delete(oldest);
    }
  }

  #delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
