import type { Store, StoreBatch } from '../ports/store.js';
import { deliverTick, type Subscriptions } from './delivery.js';
import { rejectUnstored } from './rejections.js';
import type { Sequence } from './sequence.js';
import type { Tick } from './tick.js';
import type { Unstored } from './unstored.js';
import { NOT_WIRED, type Wiring } from './wiring.js';

/** Commits that are reported, while somebody listens. */
export interface TimedCommits {
  readonly telemetry: { readonly isOn: boolean };
  commit(batch: StoreBatch): void;
}

export interface FlushingOptions {
  readonly store: Store;
  readonly timed: TimedCommits | undefined;
  readonly sequence: Sequence;
  readonly subscriptions: Subscriptions;
  readonly unstored: Unstored;
  readonly onEffectError: (error: unknown) => void;
}

/** The second half of the door: stores a tick, sends it and runs its effects, or undoes it when it cannot be stored. */
export class Flushing {
  readonly #options: FlushingOptions;
  wiring: Pick<Wiring, 'effects' | 'onUndone'> = NOT_WIRED;

  constructor(options: FlushingOptions) {
    this.#options = options;
  }

  /** Throws when the tick cannot be stored; by then it has been undone. */
  flush(tick: Tick): void {
    const { subscriptions } = this.#options;
    const { effects } = this.wiring;
    this.#store(tick);
    for (const { ring, seq, json } of tick.rings) ring.push(seq, json);
    deliverTick(tick.messages, subscriptions);
    for (const uri of tick.ended) subscriptions.removeChannel(uri);
    for (const committed of tick.committed) {
      for (const effect of effects.get(committed.action.type) ?? NO_EFFECTS) this.#guard(() => effect(committed));
    }
    for (const run of tick.afterwards) this.#guard(run);
  }

  #store(tick: Tick): void {
    const { store, sequence, timed, unstored } = this.#options;
    const ceiling = sequence.unstoredCeiling;
    if (!tick.hasStored && ceiling === undefined) return;
    try {
      const batch = tick.toStoreBatch(ceiling);
      if (timed?.telemetry.isOn) timed.commit(batch);
      else store.commit(batch);
      if (ceiling !== undefined) sequence.markStored(ceiling);
    } catch (error) {
      this.#undo(tick, error);
      throw error;
    }
    if (unstored.isFailing) unstored.stored();
  }

  /** Returns memory to what is stored. Nothing of the tick has been sent yet, so no client has to take anything back. */
  #undo(tick: Tick, error: unknown): void {
    const { sequence, subscriptions, unstored } = this.#options;
    for (const undo of tick.undo.toReversed()) undo();
    rejectUnstored(tick, sequence, subscriptions);
    this.#guard(() => this.wiring.onUndone(tick.committed));
    for (const fail of tick.onFailed) fail(error);
    unstored.lost(tick);
  }

  /** One failing effect must not prevent the others from running. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.onEffectError(error);
    }
  }
}

const NO_EFFECTS: readonly never[] = [];
