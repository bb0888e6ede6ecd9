import { Tick } from './tick.js';

/** Holds the tick that collects changes until a flush takes it. */
export class OpenTick {
  readonly #now: () => number;
  readonly #schedule: () => void;
  #tick: Tick;

  /** `schedule` is called on every use, and must lead to a flush soon. */
  constructor(now: () => number, schedule: () => void) {
    this.#now = now;
    this.#schedule = schedule;
    this.#tick = new Tick(now);
  }

  /** For reading, or for additions that come with a `use` anyway: does not schedule a flush. */
  get current(): Tick {
    return this.#tick;
  }

  /** For adding to the tick: schedules its flush. */
  use(): Tick {
    this.#schedule();
    return this.#tick;
  }

  /** Hands the tick over to a flush and opens a new one. */
  take(): Tick {
    const tick = this.#tick;
    this.#tick = new Tick(this.#now);
    return tick;
  }
}
