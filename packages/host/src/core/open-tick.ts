import { Tick } from './tick.js';

/** The tick that everything which is decided now becomes part of, until a flush takes it. */
export class OpenTick {
  readonly #now: () => number;
  readonly #schedule: () => void;
  #tick: Tick;

  /** `schedule` asks for a flush soon. */
  constructor(now: () => number, schedule: () => void) {
    this.#now = now;
    this.#schedule = schedule;
    this.#tick = new Tick(now);
  }

  get current(): Tick {
    return this.#tick;
  }

  /** The tick, to put something into: it will be flushed. */
  use(): Tick {
    this.#schedule();
    return this.#tick;
  }

  /** Ends it; what comes from here on is part of the next one. */
  take(): Tick {
    const tick = this.#tick;
    this.#tick = new Tick(this.#now);
    return tick;
  }
}
