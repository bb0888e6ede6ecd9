/** How long to wait before trying a lost connection again, and when to give up. */
export interface ReconnectOptions {
  /** The first delay, before jitter. */
  readonly minDelayMs?: number | undefined;
  /** No delay is longer than this. */
  readonly maxDelayMs?: number | undefined;
  /** How many attempts in a row may fail before the client closes; default: no end. */
  readonly maxAttempts?: number | undefined;
}

/** A host that restarts is back within a second; a first attempt sooner than this finds it still down. */
export const MIN_DELAY_MS = 250;

/** The longest a client sits idle after the network is back. */
export const MAX_DELAY_MS = 30_000;

/** A connection that lived for less than this counts as a failure: a host may accept and drop us in a loop. */
export const STABLE_AFTER_MS = 5_000;

/** The wait before each attempt: doubled with every failure, and spread so that clients do not all come at once. */
export class Backoff {
  readonly #minDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #maxAttempts: number;
  readonly #random: () => number;
  #failures = 0;
  #liveSince: number | undefined;

  constructor(options: ReconnectOptions | false, random: () => number) {
    const { minDelayMs = MIN_DELAY_MS, maxDelayMs = MAX_DELAY_MS, maxAttempts = Infinity } = options || {};
    this.#minDelayMs = minDelayMs;
    this.#maxDelayMs = Math.max(minDelayMs, maxDelayMs);
    this.#maxAttempts = options === false ? 0 : maxAttempts;
    this.#random = random;
  }

  live(now: number): void {
    this.#liveSince = now;
  }

  /** The delay before the next attempt, or undefined when there is to be none. */
  next(now: number): number | undefined {
    if (this.#liveSince !== undefined && now - this.#liveSince >= STABLE_AFTER_MS) this.#failures = 0;
    this.#liveSince = undefined;
    if (this.#failures >= this.#maxAttempts) return undefined;
    const longest = Math.min(this.#maxDelayMs, this.#minDelayMs * 2 ** this.#failures);
    this.#failures++;
    return longest * (0.5 + this.#random() / 2);
  }
}
