/** A map that drops its least recently used entries to keep their total weight within a limit. */
export class Recent<K, V> {
  readonly #maxWeight: number;
  readonly #weigh: (value: V) => number;
  readonly #minEntries: number;
  readonly #entries = new Map<K, V>();
  #weight = 0;

  /** Without `weigh`, `maxWeight` is a number of entries. The newest `minEntries` stay whatever they weigh. */
  constructor(maxWeight: number, weigh: (value: V) => number = () => 1, minEntries = 1) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
    this.#minEntries = minEntries;
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
      if (this.#weight <= this.#maxWeight || this.#entries.size <= this.#minEntries) return;
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

/** Copies a buffer that is a slice of a larger one: in a cache it would keep all of the larger one in memory. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
