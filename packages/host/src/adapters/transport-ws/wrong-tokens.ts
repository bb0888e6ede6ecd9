import type { Clock } from '../../ports/index.js';
import type { WebSocketLimits } from './limits.js';

interface Budget {
  left: number;
  /** When `left` was right, in milliseconds since the epoch. */
  at: number;
}

/**
 * Limits how many wrong tokens may be tried from one address. Once they are used up, no token from there is looked at until
 * the next is due, not even a right one: else whoever guesses would still learn which it is.
 */
export class WrongTokens {
  readonly #limits: Pick<WebSocketLimits, 'wrongTokensAtOnce' | 'wrongTokensPerSecond'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #budgets = new Map<string, Budget>();

  constructor(limits: Pick<WebSocketLimits, 'wrongTokensAtOnce' | 'wrongTokensPerSecond'>, clock: Pick<Clock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  mayTry(address: string): boolean {
    const budget = this.#budgets.get(address);
    return budget === undefined || this.#leftOf(budget) >= 1;
  }

  /** A wrong token came from the address. */
  count(address: string): void {
    const budget = this.#budgets.get(address);
    const left = budget ? this.#leftOf(budget) : this.#limits.wrongTokensAtOnce;
    this.#budgets.delete(address);
    this.#budgets.set(address, { left: left - 1, at: this.#clock.now() });
    const [oldest] = this.#budgets.keys();
    if (this.#budgets.size > MAX_COUNTED_ADDRESSES && oldest !== undefined) this.#budgets.delete(oldest);
  }

  #leftOf({ left, at }: Budget): number {
    const { wrongTokensAtOnce, wrongTokensPerSecond } = this.#limits;
    const seconds = Math.max(0, this.#clock.now() - at) / 1000; // the clock may have been set back
    return Math.min(wrongTokensAtOnce, left + seconds * wrongTokensPerSecond);
  }
}

/** Addresses that are counted; beyond that the one that was quiet for longest is forgotten. Bounds the memory. */
const MAX_COUNTED_ADDRESSES = 1024;
