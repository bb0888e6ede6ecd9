import type { ActionEnvelope, JsonObject, ServerNotificationMap, URI } from '@moorage/protocol';
import type { Change } from '@moorage/protocol/versions';
import type { Grant } from '../ports/people.js';
import { FrameBatch } from '../ports/transport.js';
import { NOT_WIRED, type Wiring } from './wiring.js';

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
  /** The JSON-RPC message as text, encoded once for all receivers. */
  readonly frame: string;
  /** Set for actions: lets appends be merged for a subscriber that cannot keep up. */
  readonly envelope?: ActionEnvelope;
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
