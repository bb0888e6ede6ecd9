import type { Clock } from '../../ports/clock.js';
import { MAX_TIMER_MS } from './limits.js';
import type { KnownToken } from './token-vault.js';

/** Calls back when a token that has an expiry time expires. */
export class ExpiryWatch {
  readonly #clock: Clock;
  readonly #onExpired: (token: KnownToken) => void;
  readonly #timers = new Map<KnownToken, unknown>();

  constructor(clock: Clock, onExpired: (token: KnownToken) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  isExpired({ expiresAt }: KnownToken): boolean {
    return expiresAt !== undefined && expiresAt <= this.#clock.now();
  }

  watch(token: KnownToken): void {
    if (token.expiresAt === undefined) return;
    const left = Math.min(token.expiresAt - this.#clock.now(), MAX_TIMER_MS);
    const check = () => {
      this.#timers.delete(token);
      if (this.isExpired(token)) this.#onExpired(token);
      else this.watch(token);
    };
    this.#timers.set(token, this.#clock.setTimeout(check, Math.max(0, left)));
  }

  forget(token: KnownToken): void {
    this.#clock.clearTimeout(this.#timers.get(token));
    this.#timers.delete(token);
  }
}
