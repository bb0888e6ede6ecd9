import type { Clock } from '../clock.js';

export interface Flushable {
  flush(): void;
}

/** Brings what arrived in one turn to the listeners at once, whatever the number of messages. */
export class Batcher {
  readonly #clock: Clock;
  #waiting = new Set<Flushable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  schedule(item: Flushable): void {
    if (this.#waiting.size === 0) this.#clock.defer(() => this.#flush());
    this.#waiting.add(item);
  }

  #flush(): void {
    const items = this.#waiting;
    this.#waiting = new Set();
    for (const item of items) item.flush();
  }
}
