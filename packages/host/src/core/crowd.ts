import type { URI } from '@moorage/protocol';
import type { SharedWay } from '../ports/transport.js';
import { Delivery, type OutgoingMessage, type Recipient, type Subscriber, type TickMessage } from './delivery.js';

/** The frames in which everyone in a crowd sees a message; undefined if they may see different ones. */
export type SharedForm = (message: OutgoingMessage) => readonly string[] | undefined;

/**
 * Clients of one gateway that see the host in the same form. However many they are, the host turns each message into text and
 * sends it once; the gateway gives it to those who follow its channel.
 */
export class Crowd implements Recipient<TickMessage> {
  readonly #way: SharedWay;
  readonly #form: SharedForm;
  /** By channel, those who follow it. */
  readonly #groups = new Map<URI, { readonly number: number; readonly members: Set<Subscriber> }>();

  constructor(way: SharedWay, form: SharedForm) {
    this.#way = way;
    this.#form = form;
  }

  join(subscriber: Subscriber, uri: URI): void {
    const group = this.#groups.get(uri) ?? { number: this.#way.newGroup(), members: new Set() };
    this.#groups.set(uri, group);
    if (!subscriber.shared || group.members.has(subscriber)) return;
    group.members.add(subscriber);
    this.#way.join(group.number, subscriber.shared.client);
  }

  /** Returns whether nobody of the crowd follows the channel any more. */
  leave(subscriber: Subscriber, uri: URI): boolean {
    const group = this.#groups.get(uri);
    if (!group) return true;
    if (group.members.delete(subscriber) && subscriber.shared) this.#way.leave(group.number, subscriber.shared.client);
    if (group.members.size > 0) return false;
    this.#groups.delete(uri);
    return true;
  }

  deliver({ messages }: Delivery<TickMessage>): void {
    for (const message of messages) {
      const { to } = message;
      if (typeof to !== 'string') to.deliver(new Delivery([message]));
      else this.#toGroup(to, message);
    }
  }

  #toGroup(uri: URI, message: TickMessage): void {
    const group = this.#groups.get(uri);
    if (!group) return;
    const frames = this.#form(message);
    if (frames) {
      for (const frame of frames) this.#way.send(group.number, frame);
      return;
    }
    const delivery = new Delivery([message]);
    for (const member of [...group.members]) member.deliver(delivery);
  }
}
