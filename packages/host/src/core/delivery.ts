import type { URI } from '@moorage/protocol';
import { Delivery, type OutgoingMessage, type Subscriber } from './subscriber.js';
import type { Subscriptions } from './subscriptions.js';

/** A message of a tick, addressed to all subscribers of a channel or to a single subscriber. */
export interface TickMessage extends OutgoingMessage {
  readonly to: URI | Subscriber;
}

/** Delivers a tick's messages. Subscribers with the same messages share one Delivery, so they are encoded once. */
export function deliverTick(messages: readonly TickMessage[], subscriptions: Subscriptions): void {
  const first = messages[0]?.to;
  if (first !== undefined && messages.every((message) => message.to === first)) {
    const delivery = new Delivery(messages);
    const everyone = typeof first === 'string' ? subscriptions.of(first) : [first];
    for (const subscriber of [...everyone]) subscriber.deliver(delivery);
    return;
  }
  const positions = new Map<Subscriber, number[]>();
  for (const [index, { to }] of messages.entries()) {
    for (const subscriber of typeof to === 'string' ? subscriptions.of(to) : [to]) {
      const mine = positions.get(subscriber);
      if (mine) mine.push(index);
      else positions.set(subscriber, [index]);
    }
  }
  const shared = new Map<string, Delivery>();
  for (const [subscriber, indices] of positions) {
    const key = indices.join();
    const delivery = shared.get(key) ?? new Delivery(indices.flatMap((index) => messages[index] ?? []));
    shared.set(key, delivery);
    subscriber.deliver(delivery);
  }
}
