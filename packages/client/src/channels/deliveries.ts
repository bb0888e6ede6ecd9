import type { ActionEnvelope, StateAction } from '@moorage/protocol';
import { type DeliveryFailure, NotDeliveredError, RejectedError } from '../errors.js';
import type { Answer } from '../mirror/replica.js';

interface Delivery {
  readonly action: StateAction;
  /** Orphaned: sent on a connection that is gone, so the answer can only be in a replay. */
  state: 'waiting' | 'sent' | 'orphaned';
  resolve(envelope: ActionEnvelope): void;
  reject(error: Error): void;
}

/** The promises of a channel's dispatched actions; each settles exactly once (I-5). */
export class Deliveries {
  readonly #open = new Map<number, Delivery>();

  add(clientSeq: number, action: StateAction): Promise<ActionEnvelope> {
    const promise = new Promise<ActionEnvelope>((resolve, reject) => {
      this.#open.set(clientSeq, { action, state: 'waiting', resolve, reject });
    });
    // A program that does not look at the promise must not end as an unhandled rejection because the host refused.
    promise.catch(() => {});
    return promise;
  }

  /** The action is about to be sent; false when its promise was settled while it waited. */
  send(clientSeq: number): boolean {
    const delivery = this.#open.get(clientSeq);
    if (delivery) delivery.state = 'sent';
    return delivery !== undefined;
  }

  answer({ clientSeq, envelope }: Answer): void {
    const delivery = this.#take(clientSeq);
    if (envelope.rejectionReason === undefined) delivery?.resolve(envelope);
    else delivery?.reject(new RejectedError(envelope));
  }

  fail(clientSeq: number, kind: DeliveryFailure): void {
    const delivery = this.#take(clientSeq);
    delivery?.reject(new NotDeliveredError(kind, delivery.action, delivery.state !== 'waiting'));
  }

  /** The connection on which these were sent is gone. */
  orphan(): void {
    for (const delivery of this.#open.values()) if (delivery.state === 'sent') delivery.state = 'orphaned';
  }

  orphans(): number[] {
    return [...this.#open].filter(([, { state }]) => state === 'orphaned').map(([clientSeq]) => clientSeq);
  }

  #take(clientSeq: number): Delivery | undefined {
    const delivery = this.#open.get(clientSeq);
    this.#open.delete(clientSeq);
    return delivery;
  }
}
