import type { Subscriber } from '../../core/delivery.js';
import type { Clock } from '../../ports/clock.js';
import { MAX_READS_AT_ONCE } from './limits.js';

/** Lets a client read only as fast as it receives the answers, because those waiting for the network are in memory. */
export class ReadGate {
  readonly #clock: Pick<Clock, 'defer'>;
  readonly #lanes = new WeakMap<Subscriber, Lane>();

  constructor(clock: Pick<Clock, 'defer'>) {
    this.#clock = clock;
  }

  async run<T>(caller: Subscriber, read: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(caller) ?? new Lane();
    this.#lanes.set(caller, lane);
    await lane.enter();
    try {
      await caller.drained();
      return await read();
    } finally {
      this.#clock.defer(() => lane.leave()); // after the answer has been handed over
    }
  }
}

class Lane {
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  enter(): Promise<void> {
    if (this.#inside >= MAX_READS_AT_ONCE) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#inside++;
    return Promise.resolve();
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside--;
  }
}
