import type { ActionEnvelope, URI } from '@ahpd/protocol';
import type { Change } from '@ahpd/protocol/versions';
import { FrameBatch } from '../ports/transport.js';

/** Someone who is told what happens on the channels it subscribed to: a client's connection. */
export interface Subscriber {
  readonly clientId: string;
  /** The language of its user, as a BCP 47 tag, if it said so. */
  readonly locale?: string | undefined;
  readonly channels: Set<URI>;
  /** It does not take what it gets as fast as it comes; whoever sends it much may wait. */
  readonly isBehind: boolean;
  /** Gets what concerns it of one tick, in order. Many subscribers get the same object. */
  deliver(delivery: Delivery): void;
  /** Resolves when it has taken what was sent so far, or nearly so; for what can wait, such as large answers. */
  drained(): Promise<void>;
}

/** What one tick sends to a group of subscribers; the frames are turned into bytes once for all of them. */
export class Delivery {
  readonly messages: readonly OutgoingMessage[];
  #batch: FrameBatch | undefined;

  constructor(messages: readonly OutgoingMessage[]) {
    this.messages = messages;
  }

  get batch(): FrameBatch {
    this.#batch ??= new FrameBatch(this.messages.map((message) => message.frame));
    return this.#batch;
  }
}

export interface OutgoingMessage {
  /** The JSON-RPC message as text: encoded once, whoever gets it. */
  readonly frame: string;
  /** Set when it is an action, for a subscriber that cannot keep up and gets appends merged. */
  readonly envelope?: ActionEnvelope;
  /** Set when the action changed something: what it did, for a subscriber that is told in another form. */
  readonly change?: Change;
  /** Set when it is another notification of ours; without both it is sent as it is. */
  readonly notice?: { readonly method: string; readonly params: { readonly [name: string]: unknown } };
}
