import { type ActionEnvelope, isObject, kindOfUri, type SubscribeView, type URI } from '@moorage/protocol';
import type { Change, WireObject } from '@moorage/protocol/versions';
import { Delivery, type OutgoingMessage } from '../../core/delivery.js';
import type { Missed } from '../replay.js';
import type { ClientView } from './view.js';

/** The view of somebody with a link to one session: of the terminals of the host, it sees those of that session. */
export class GuestView implements ClientView {
  readonly #view: ClientView;
  readonly #session: URI;

  constructor(view: ClientView, session: URI) {
    this.#view = view;
    this.#session = session;
  }

  attach(uri: URI, view?: SubscribeView): string | undefined {
    const snapshot = this.#view.attach(uri, view);
    return snapshot === undefined || kindOfUri(uri) !== 'root' ? snapshot : this.#filtered(snapshot);
  }

  detach(uri: URI): void {
    this.#view.detach(uri);
  }

  resume(uris: readonly URI[], lastSeen: number): Missed | undefined {
    const missed = this.#view.resume(uris, lastSeen);
    return missed && { ...missed, envelopes: this.#filtered(`[${missed.envelopes}]`).slice(1, -1) };
  }

  translate(delivery: Delivery): Delivery | undefined {
    const translated = this.#view.translate ? this.#view.translate(delivery) : delivery;
    if (!translated?.messages.some(({ frame }) => frame.includes(TERMINALS))) return translated;
    return new Delivery(translated.messages.map((message) => this.#message(message)));
  }

  encode(envelope: ActionEnvelope, change: Change | undefined): string {
    return this.#filtered(this.#view.encode(envelope, change));
  }

  /** Without its envelope: the outbox would encode the frame from it again. */
  #message(message: OutgoingMessage): OutgoingMessage {
    const frame = this.#filtered(message.frame);
    return frame === message.frame ? message : { frame };
  }

  #filtered(json: string): string {
    return json.includes(TERMINALS) ? JSON.stringify(this.#filter(JSON.parse(json))) : json;
  }

  /** Takes a snapshot, an envelope, a notification with an envelope, or a list of these. */
  #filter(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#filter(item));
    if (!isObject(value)) return value;
    const { state, params, action, terminals } = value as WireObject;
    return {
      ...value,
      ...(isObject(state) && { state: this.#filter(state) }),
      ...(isObject(params) && { params: this.#filter(params) }),
      ...(isObject(action) && { action: this.#filter(action) }),
      ...(Array.isArray(terminals) && { terminals: terminals.filter((info) => this.#isOwn(info)) }),
    };
  }

  #isOwn(info: unknown): boolean {
    const { claim } = info as { readonly claim?: { readonly session?: unknown } };
    return claim?.session === this.#session;
  }
}

/** Never part of what users wrote: inside a JSON string the quotes would be escaped. */
const TERMINALS = '"terminals":[';
