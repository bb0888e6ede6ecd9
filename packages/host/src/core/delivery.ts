import type { ActionEnvelope, JsonObject, ServerNotificationMap, URI } from '@moorage/protocol';
import type { Change } from '@moorage/protocol/versions';
import type { Grant } from '../ports/people.js';
import { FrameBatch, type SharedPlace } from '../ports/transport.js';
import type { Crowd } from './crowd.js';
import { NOT_WIRED, type Wiring } from './wiring.js';

/** A message of a tick, addressed to all subscribers of a channel or to a single subscriber. */
export interface TickMessage extends OutgoingMessage {
  readonly to: URI | Subscriber;
}

/** Delivers a tick's messages. */
export function deliverTick(messages: readonly TickMessage[], subscriptions: Subscriptions): void {
  deliverAll(messages, (to) => (typeof to === 'string' ? subscriptions.recipients(to) : [to.crowd ?? to]));
}

/** Whoever takes messages; those with the same messages are given the same object. */
export interface Recipient<M extends OutgoingMessage> {
  /** Must not throw. */
  deliver(delivery: Delivery<M>): void;
}

/** Gives each recipient its messages, in order. Recipients of the same messages share one Delivery, so they are encoded once. */
export function deliverAll<M extends OutgoingMessage & { readonly to: unknown }>(
  messages: readonly M[],
  recipientsOf: (to: M['to']) => Iterable<Recipient<M>>,
): void {
  const first = messages[0]?.to;
  if (first !== undefined && messages.every((message) => message.to === first)) {
    const delivery = new Delivery(messages);
    for (const recipient of [...recipientsOf(first)]) recipient.deliver(delivery);
    return;
  }
  const positions = new Map<Recipient<M>, number[]>();
  for (const [index, { to }] of messages.entries()) {
    for (const recipient of recipientsOf(to)) {
      const mine = positions.get(recipient);
      if (mine) mine.push(index);
      else positions.set(recipient, [index]);
    }
  }
  const shared = new Map<string, Delivery<M>>();
  for (const [recipient, indices] of positions) {
    const key = indices.join();
    const delivery = shared.get(key) ?? new Delivery(indices.flatMap((index) => messages[index] ?? []));
    shared.set(key, delivery);
    recipient.deliver(delivery);
  }
}

/** A receiver of what happens on the channels it subscribed to; in practice a client's connection. */
export interface Subscriber {
  readonly clientId: string;
  /** The name of the credential that it connected with. */
  readonly credential: string;
  /** What the credential allows, if that is not everything. */
  readonly grant?: Grant | undefined;
  /** Set for whoever may know of this session only. */
  readonly onlySession?: URI | undefined;
  /** The name of its program, if the client stated one. */
  readonly program?: string | undefined;
  /** Whether it is a program of this project. Others may send settings of their own, which mean nothing here (V-3). */
  readonly isOurs: boolean;
  /** Whether it is a window of VS Code. */
  readonly isVscode: boolean;
  /** The user's language as a BCP 47 tag, if the client stated one. */
  readonly locale?: string | undefined;
  readonly channels: Set<URI>;
  /** Set for a client of a gateway that gets what others there get, too, with them. */
  readonly crowd?: Crowd | undefined;
  /** Its place in what its gateway's clients share. */
  readonly shared?: SharedPlace | undefined;
  /** True while messages queue up because it does not read them fast enough; producers of much output may pause. */
  readonly isBehind: boolean;
  /** Receives its messages of one tick, in order. The same object is given to many subscribers. Must not throw. */
  deliver(delivery: Delivery): void;
  /**
   * Resolves once it is no longer behind, at once if it is not. Await it before sending what can wait, such as large
   * answers. Stays pending when the connection closes first.
   */
  drained(): Promise<void>;
}

/** What one tick sends to a group of subscribers. The frames are turned into bytes once for all of them. */
export class Delivery<M extends OutgoingMessage = OutgoingMessage> {
  readonly messages: readonly M[];
  #batch: FrameBatch | undefined;

  constructor(messages: readonly M[]) {
    this.messages = messages;
  }

  get batch(): FrameBatch {
    this.#batch ??= new FrameBatch(this.messages.map((message) => message.frame));
    return this.#batch;
  }
}

export interface OutgoingMessage {
  /** The JSON-RPC message as text, encoded once for all receivers. */
  readonly frame: string;
  /** Set for actions: lets appends be merged for a subscriber that cannot keep up. */
  readonly envelope?: ActionEnvelope | undefined;
  /** Set for actions that were applied: what changed, for translation to another protocol version. */
  readonly change?: Change;
  /** Set for other notifications of the host, for translation. A message with neither this nor an envelope is sent as is. */
  readonly notice?: { readonly method: string; readonly params: JsonObject };
}

/** The text of an envelope as it is stored and sent. Undefined members are left out. */
export function encodeEnvelope(envelope: ActionEnvelope): string {
  return JSON.stringify(envelope);
}

export function actionFrame(envelope: string): string {
  return `{"jsonrpc":"2.0","method":"action","params":${envelope}}`;
}

/** The message for a notification other than `action`. */
export function noticeMessage<M extends keyof ServerNotificationMap>(
  method: M,
  params: ServerNotificationMap[M]['params'],
): OutgoingMessage {
  return {
    frame: JSON.stringify({ jsonrpc: '2.0', method, params }),
    notice: { method, params: params as object as JsonObject },
  };
}

/** Which subscriber is subscribed to which channel, searchable from both sides. */
export class Subscriptions {
  readonly #byChannel = new Map<URI, Followers>();
  /** Set when the door is connected. */
  wiring: Pick<Wiring, 'onUsed' | 'onUnused'> = NOT_WIRED;

  add(subscriber: Subscriber, uri: URI): void {
    const { channels, crowd } = subscriber;
    channels.add(uri);
    const followers = this.#byChannel.get(uri) ?? { subscribers: new Set(), recipients: new Set() };
    const isFirst = followers.subscribers.size === 0;
    this.#byChannel.set(uri, followers);
    if (crowd) crowd.join(subscriber, uri);
    followers.recipients.add(crowd ?? subscriber);
    followers.subscribers.add(subscriber);
    if (isFirst) for (const listener of this.wiring.onUsed) listener(uri);
  }

  remove(subscriber: Subscriber, uri: URI): void {
    subscriber.channels.delete(uri);
    const followers = this.#byChannel.get(uri);
    followers?.subscribers.delete(subscriber);
    followers?.recipients.delete(subscriber);
    const { crowd } = subscriber;
    if (crowd?.leave(subscriber, uri)) followers?.recipients.delete(crowd);
    if (followers?.subscribers.size !== 0) return;
    this.#byChannel.delete(uri);
    for (const listener of this.wiring.onUnused) listener(uri);
  }

  removeSubscriber(subscriber: Subscriber): void {
    for (const uri of [...subscriber.channels]) this.remove(subscriber, uri);
  }

  /** Drops all subscriptions to a channel that has ended, without calling `onUnused`. */
  removeChannel(uri: URI): void {
    for (const subscriber of this.of(uri)) {
      subscriber.channels.delete(uri);
      subscriber.crowd?.leave(subscriber, uri);
    }
    this.#byChannel.delete(uri);
  }

  /** From now on a subscriber gets its messages by itself: they are no longer those of its crowd. */
  leaveCrowd(subscriber: Subscriber, crowd: Crowd): void {
    for (const uri of subscriber.channels) {
      const recipients = this.#byChannel.get(uri)?.recipients;
      if (crowd.leave(subscriber, uri)) recipients?.delete(crowd);
      recipients?.add(subscriber);
    }
  }

  of(uri: URI): ReadonlySet<Subscriber> {
    return this.#byChannel.get(uri)?.subscribers ?? NOBODY;
  }

  /** Who is given the messages of a channel: crowds, and the subscribers that are in none. */
  recipients(uri: URI): ReadonlySet<Recipient<TickMessage>> {
    return this.#byChannel.get(uri)?.recipients ?? NOBODY;
  }

  has(uri: URI): boolean {
    return this.#byChannel.has(uri);
  }
}

interface Followers {
  readonly subscribers: Set<Subscriber>;
  readonly recipients: Set<Recipient<TickMessage>>;
}

const NOBODY: ReadonlySet<Subscriber> = new Set();
