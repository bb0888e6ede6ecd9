import type { Clock } from '../ports/clock.js';

interface Timer {
  at: number;
  readonly run: () => void;
}

/** A clock that stands still until the test moves it; only what is deferred to the next turn happens by itself. */
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

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves the time on and runs what is due, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#dueBy(end); next; next = this.#dueBy(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** What the machine says of the time changes by so much, and nothing else: timers run when they would have run. */
  jump(milliseconds: number): void {
    const timers = [...this.#timers];
    this.#now += milliseconds;
    for (const timer of timers) timer.at += milliseconds;
  }

  #dueBy(end: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
