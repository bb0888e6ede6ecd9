import type { Clock } from '../../src/clock.js';

/** Time that moves, and turns that end, only when the test says so. */
export class FakeClock implements Clock {
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  #deferred: (() => void)[] = [];
  #now = 1_000_000;
  #last = 0;

  now = (): number => this.#now;

  setTimeout = (run: () => void, milliseconds: number): unknown => {
    this.#last++;
    this.#timers.set(this.#last, { at: this.#now + milliseconds, run });
    return this.#last;
  };

  clearTimeout = (handle: unknown): void => {
    if (typeof handle === 'number') this.#timers.delete(handle);
  };

  defer = (run: () => void): void => {
    this.#deferred.push(run);
  };

  get armed(): number {
    return this.#timers.size;
  }

  get deferred(): number {
    return this.#deferred.length;
  }

  /** How long until the next timer. */
  get nextIn(): number | undefined {
    const ats = [...this.#timers.values()].map(({ at }) => at);
    return ats.length === 0 ? undefined : Math.min(...ats) - this.#now;
  }

  /** Lets time pass; timers run in their order, also those that are set on the way. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#timers]
        .filter(([, { at }]) => at <= end)
        .sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].run();
    }
    this.#now = end;
  }

  /** Ends the turn: what was deferred runs. */
  turn(): void {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const run of deferred) run();
  }
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
