import type { Clock } from '../ports/clock.js';

interface Timer {
  at: number;
  readonly run: () => void;
}

/** A clock that stands still until the test moves it. Only functions passed to `defer` run by themselves. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now = Date.UTC(2030, 0, 1);

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, milliseconds: number): unknown {
    const timer: Timer = { at: this.#now + milliseconds, run };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer);
  }

  defer(run: () => void): void {
    setImmediate(run);
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves the time forward and runs due timers in order, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#dueBy(end); next; next = this.#dueBy(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** Changes the wall clock only, as when a machine's clock is corrected: timers are not affected. */
  jump(milliseconds: number): void {
    const timers = [...this.#timers];
    this.#now += milliseconds;
    for (const timer of timers) timer.at += milliseconds;
  }

  #dueBy(end: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
