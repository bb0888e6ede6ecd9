import type { URI } from '@moorage/protocol';
import type { Subscriber } from './subscriber.js';
import { NOT_WIRED, type Wiring } from './wiring.js';

/** Which subscriber is subscribed to which channel, searchable from both sides. */
export class Subscriptions {
  readonly #byChannel = new Map<URI, Set<Subscriber>>();
  /** Set when the door is connected. */
  wiring: Pick<Wiring, 'onUsed' | 'onUnused'> = NOT_WIRED;

  add(subscriber: Subscriber, uri: URI): void {
    subscriber.channels.add(uri);
    const subscribers = this.#byChannel.get(uri) ?? new Set();
    const isFirst = subscribers.size === 0;
    this.#byChannel.set(uri, subscribers.add(subscriber));
    if (isFirst) for (const listener of this.wiring.onUsed) listener(uri);
  }

  remove(subscriber: Subscriber, uri: URI): void {
    subscriber.channels.delete(uri);
    const subscribers = this.#byChannel.get(uri);
    subscribers?.delete(subscriber);
    if (subscribers?.size !== 0) return;
    this.#byChannel.delete(uri);
    for (const listener of this.wiring.onUnused) listener(uri);
  }

  removeSubscriber(subscriber: Subscriber): void {
    for (const uri of [...subscriber.channels]) this.remove(subscriber, uri);
  }

  /** Drops all subscriptions to a channel that has ended, without calling `onUnused`. */
  removeChannel(uri: URI): void {
    for (const subscriber of this.of(uri)) subscriber.channels.delete(uri);
    this.#byChannel.delete(uri);
  }

  of(uri: URI): ReadonlySet<Subscriber> {
    return this.#byChannel.get(uri) ?? NOBODY;
  }

  has(uri: URI): boolean {
    return this.#byChannel.has(uri);
  }
}

const NOBODY: ReadonlySet<Subscriber> = new Set();
