import type { URI } from '@moorage/protocol';
import type { SharedWay } from '../ports/transport.js';
import { Delivery, type OutgoingMessage, type Recipient, type Subscriber, type TickMessage } from './delivery.js';

/** How everyone in a crowd sees a message; undefined if they may see it differently. */
export type SharedForm = (message: OutgoingMessage) => readonly SharedMessage[] | undefined;

interface SharedMessage {
  readonly frame: string;
  /** Of the messages of a tick with the same value here, only the last is sent. */
  readonly replaces?: string | undefined;
}

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
    const forms = messages.map((message) => (typeof message.to === 'string' ? this.#form(message) : undefined));
    const last = new Map<string, SharedMessage>();
    for (const form of forms) for (const one of form ?? []) if (one.replaces !== undefined) last.set(one.replaces, one);
    for (const [index, message] of messages.entries()) {
      const { to } = message;
      const group = typeof to === 'string' ? this.#groups.get(to) : undefined;
      const form = forms[index];
      if (form && group) {
        for (const one of form) {
          const isReplaced = one.replaces !== undefined && last.get(one.replaces) !== one;
          if (!isReplaced) this.#way.send(group.number, one.frame);
        }
      } else {
        const delivery = new Delivery([message]);
        for (const member of typeof to === 'string' ? [...(group?.members ?? [])] : [to]) member.deliver(delivery);
      }
    }
  }
}
