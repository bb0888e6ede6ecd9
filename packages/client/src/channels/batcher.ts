import type { Clock } from '../clock.js';

export interface Flushable {
  flush(): void;
}

/** Brings what arrived in one turn to the listeners at once, whatever the number of messages. */
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

  /** Flushes the item at the end of this turn; to ask for that more than once does not make it more. */
  schedule(item: Flushable): void {
    if (this.#waiting.includes(item)) return;
    if (this.#waiting.length === 0) this.#clock.defer(this.#flush);
    this.#waiting.push(item);
  }
}
