import type { URI } from '@ahpd/protocol';
import type { Subscriber } from './subscriber.js';

/** Who listens to what, from both ends. */
export class Subscriptions {
  readonly #byChannel = new Map<URI, Set<Subscriber>>();
  readonly #onUsed: ((uri: URI) => void)[] = [];
  readonly #onUnused: ((uri: URI) => void)[] = [];

  /** Called when somebody subscribes to a channel that nobody was subscribed to. */
  onUsed(listener: (uri: URI) => void): void {
    this.#onUsed.push(listener);
  }

  /** Called when nobody is subscribed to a channel any more. */
  onUnused(listener: (uri: URI) => void): void {
    this.#onUnused.push(listener);
  }

  add(subscriber: Subscriber, uri: URI): void {
    subscriber.channels.add(uri);
    const subscribers = this.#byChannel.get(uri) ?? new Set();
    const isFirst = subscribers.size === 0;
    this.#byChannel.set(uri, subscribers.add(subscriber));
    if (isFirst) for (const listener of this.#onUsed) listener(uri);
  }

  remove(subscriber: Subscriber, uri: URI): void {
    subscriber.channels.delete(uri);
    const subscribers = this.#byChannel.get(uri);
    subscribers?.delete(subscriber);
    if (subscribers?.size !== 0) return;
    this.#byChannel.delete(uri);
    for (const listener of this.#onUnused) listener(uri);
  }

  removeSubscriber(subscriber: Subscriber): void {
    for (const uri of [...subscriber.channels]) this.remove(subscriber, uri);
  }

  /** The channel is gone: nobody is subscribed to it any more. */
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
