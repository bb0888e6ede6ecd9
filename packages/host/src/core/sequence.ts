/**
 * The host's serverSeq: strictly increasing and never reused, even across restarts. Numbers are reserved in blocks: a
 * number is sent only once a ceiling at or above it is stored, and a restarted host continues above the stored ceiling.
 */
export class Sequence {
  #last: number;
  #ceiling: number;
  #stored: number;

  constructor(storedCeiling: number) {
    this.#last = storedCeiling;
    this.#ceiling = storedCeiling;
    this.#stored = storedCeiling;
  }

  get last(): number {
    return this.#last;
  }

  /** How many more numbers may be sent before a new ceiling has to be stored. */
  get reserve(): number {
    return this.#stored - this.#last;
  }

  /** Whether a number lies under the stored ceiling, so that no restarted host can use it again. */
  isReserved(seq: number): boolean {
    return seq <= this.#stored;
  }

  /** Takes `count` new numbers and returns the last of them. */
  next(count = 1): number {
    this.#last += count;
    // Reserved half a block ahead, so that numbers for rejections are left while the store fails.
    if (this.#last + BLOCK / 2 > this.#ceiling) this.#ceiling = this.#last + BLOCK;
    return this.#last;
  }

  /** The ceiling to store before the numbers taken so far may be sent; undefined when it is stored already. */
  get unstoredCeiling(): number | undefined {
    return this.#ceiling > this.#stored ? this.#ceiling : undefined;
  }

  markStored(ceiling: number): void {
    this.#stored = Math.max(this.#stored, ceiling);
  }
}

/** Numbers per reservation: few extra writes to the store, and a gap of at most this many numbers after a crash. */
const BLOCK = 1000;
