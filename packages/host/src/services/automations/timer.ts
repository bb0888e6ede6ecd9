import type { Clock } from '../../ports/clock.js';
import { MAX_SLEEP_MS } from './limits.js';

/** Calls when the next time has come. The clock may jump meanwhile, so it is looked at now and then. */
export class Timer {
  readonly #clock: Clock;
  readonly #run: () => void;
  #handle: unknown;

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock;
    this.#run = run;
  }

  /** `at`: milliseconds since the epoch; undefined: never. Replaces what was set before. */
  set(at: number | undefined): void {
    this.#clock.clearTimeout(this.#handle);
    if (at === undefined) return;
    const wait = Math.min(Math.max(0, at - this.#clock.now()), MAX_SLEEP_MS);
    this.#handle = this.#clock.setTimeout(this.#run, wait);
  }
}
