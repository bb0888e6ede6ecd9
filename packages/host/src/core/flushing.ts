import type { Store } from '../ports/store.js';
import { type Committed, Reactions } from './committed.js';
import { deliverTick } from './delivery.js';
import { tellSendersOfLoss } from './rejections.js';
import type { Sequence } from './sequence.js';
import type { Subscriptions } from './subscriptions.js';
import type { Tick } from './tick.js';

export interface FlushingOptions {
  readonly store: Store;
  readonly sequence: Sequence;
  readonly subscriptions: Subscriptions;
  readonly onEffectError: (error: unknown) => void;
}

/** The second half of the way through the door: store, send, effects; or back, where it cannot be stored. */
export class Flushing {
  readonly #options: FlushingOptions;
  readonly effects = new Reactions();
  readonly onLost: ((lost: readonly Committed[]) => void)[] = [];

  constructor(options: FlushingOptions) {
    this.#options = options;
  }

  /** Throws when the tick cannot be stored: then it is undone. */
  flush(tick: Tick): void {
    const { subscriptions } = this.#options;
    this.#store(tick);
    for (const { ring, seq, json } of tick.rings) ring.push(seq, json);
    deliverTick(tick.messages, subscriptions);
    for (const uri of tick.ended) subscriptions.removeChannel(uri);
    for (const committed of tick.committed) {
      for (const effect of this.effects.to(committed)) this.#guard(() => effect(committed));
    }
    for (const run of tick.afterwards) this.#guard(run);
  }

  #store(tick: Tick): void {
    const { store, sequence } = this.#options;
    const ceiling = sequence.unstoredCeiling;
    if (!tick.hasStored && ceiling === undefined) return;
    try {
      store.commit(tick.toStoreBatch(ceiling));
      if (ceiling !== undefined) sequence.markStored(ceiling);
    } catch (error) {
      this.#takeBack(tick);
      throw error;
    }
  }

  /** Nobody was told of this tick: memory goes back to what is stored. */
  #takeBack(tick: Tick): void {
    const { sequence, subscriptions } = this.#options;
    for (const undo of tick.undo.toReversed()) undo();
    tellSendersOfLoss(tick, sequence, subscriptions);
    for (const listener of this.onLost) this.#guard(() => listener(tick.committed));
  }

  /** A failing effect must not keep the others from theirs. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.onEffectError(error);
    }
  }
}
