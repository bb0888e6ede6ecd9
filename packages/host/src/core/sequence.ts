/**
 * The host's serverSeq: strictly increasing, never reused, also across restarts. Numbers are reserved in blocks: a
 * ceiling is stored before any number above the last one is used, and a restart goes on above it.
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

  /** How many numbers may be sent without storing anything first. */
  get reserve(): number {
    return this.#stored - this.#last;
  }

  /** Whether a number may be sent, because no later host can use it again. */
  isReserved(seq: number): boolean {
    return seq <= this.#stored;
  }

  /** The last of that many new numbers. */
  next(count = 1): number {
    this.#last += count;
    // Half a block ahead: while the store fails there are numbers left to tell clients so.
    if (this.#last + BLOCK / 2 > this.#ceiling) this.#ceiling = this.#last + BLOCK;
    return this.#last;
  }

  /** The ceiling that must be stored with the numbers given out so far; undefined when it is stored already. */
  get unstoredCeiling(): number | undefined {
    return this.#ceiling > this.#stored ? this.#ceiling : undefined;
  }

  markStored(ceiling: number): void {
    this.#stored = Math.max(this.#stored, ceiling);
  }
}

/** Numbers per reservation: one more value to store per thousand, and a gap of at most as many after a crash. */
const BLOCK = 1000;
