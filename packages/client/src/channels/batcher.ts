import type { Clock } from '../clock.js';

export interface Flushable {
  flush(): void;
}

/** Collects what changed in one turn of the event loop, so that listeners hear of it once and not once per message. */
export class Batcher {
  readonly #clock: Clock;
  #waiting: Flushable[] = [];
  readonly #flush = () => {
    const items = this.#waiting;
    this.#waiting = [];
    for (const item of items) item.flush();
  };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Flushes the item once at the end of this turn, however often that is asked for. */
  schedule(item: Flushable): void {
    if (this.#waiting.includes(item)) return;
    if (this.#waiting.length === 0) this.#clock.defer(this.#flush);
    this.#waiting.push(item);
  }
}
