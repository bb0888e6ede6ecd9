import {
  type ClientCapabilities,
  CloseCodes,
  createPeer,
  type Peer,
  type RpcParams,
  type Transport,
  type URI,
} from '@moorage/protocol';
import { type Dialect, nativeDialect } from '@moorage/protocol/versions';
import type { Crowd } from '../core/crowd.js';
import { Delivery, type Subscriber } from '../core/delivery.js';
import type { Clock } from '../ports/clock.js';
import type { Grant, Role } from '../ports/people.js';
import type { Incoming, SharedPlace } from '../ports/transport.js';
import type { ClientView } from './dialects/view.js';
import { Outbox } from './outbox.js';
import { respelledDelivery } from './spelling/respelled-delivery.js';
import type { Spelling } from './spelling/spelling.js';

/** What a client said of itself in the handshake. */
export interface ClientProfile {
  readonly clientId: string;
  /** A version string, or an integer from clients of the first version. */
  readonly protocolVersion: string | number;
  readonly capabilities?: ClientCapabilities | undefined;
  readonly locale?: string | undefined;
  /** The name of the program, if the client stated it. */
  readonly program?: string | undefined;
  /** What it was told that it may do; nothing for the owner. */
  readonly role?: Role | undefined;
  /** Whether it has said that it takes session URIs of any scheme; of interest in VS Code only (V-9). */
  readonly takesSessionUris?: boolean | undefined;
  /** What it calls this machine in the URIs of files, if not by `file:`. */
  readonly remoteAuthority?: string | undefined;
}

/** What the server does with the events of a connection. */
export interface ConnectionHandler {
  request(connection: Connection, method: string, params: RpcParams | undefined): unknown;
  notification(connection: Connection, method: string, params: RpcParams | undefined): void;
  closed(connection: Connection): void;
  failed(error: unknown, method: string): void;
}

/** One client's connection: its identity, its subscriptions, and everything that is sent to it. */
export class Connection implements Subscriber {
  readonly channels = new Set<URI>();
  readonly credential: string;
  readonly vouched: Grant | undefined;
  readonly grant: Grant | undefined;
  /** The name of this machine that the client used to reach it, if known. */
  readonly reachedAs: string | undefined;
  readonly peer: Peer;
  readonly shared: SharedPlace | undefined;
  /** The clients of its gateway with which it gets what all of them see alike; set by the handshake if it can. */
  crowd: Crowd | undefined;
  /** Whether its last request before the handshake named a channel; the first version knew none. */
  namesChannels = true;
  /** Set if the client has names of its own for what the host calls otherwise. */
  spelling: Spelling | undefined;
  readonly #outbox: Outbox;
  readonly #onTranslationError: (error: unknown) => void;
  #profile: ClientProfile | undefined;
  #dialect: Dialect = nativeDialect;
  #view: ClientView | undefined;

  constructor(
    { transport, credential, vouched, reachedAs, shared }: Incoming,
    grant: Grant | undefined,
    handler: ConnectionHandler,
    clock: Clock,
  ) {
    this.credential = credential;
    this.vouched = vouched;
    this.grant = grant;
    this.reachedAs = reachedAs;
    this.shared = shared;
    this.#onTranslationError = (error) => {
      handler.failed(error, 'action');
      clock.defer(() => this.peer.close(CloseCodes.InternalError, 'the host cannot tell this; reconnect to resume'));
    };
    this.#outbox = new Outbox(
      transport,
      (envelope, change) => this.#respelled(this.view.encode(envelope, change)),
      () => this.peer.close(CloseCodes.TryAgainLater, 'too slow; reconnect to resume'),
    );
    // The peer's own messages go through the outbox too, so that they keep their order among the deliveries.
    const ordered: Transport = {
      send: (text) => this.#send(this.#respelled(text)),
      close: (code, reason) => transport.close(code, reason),
      onMessage: (listener) => transport.onMessage(listener),
      onClose: (listener) => transport.onClose(listener),
    };
    this.peer = createPeer(ordered, {
      onRequest: (method, params) => handler.request(this, method, params),
      onNotification: (method, params) => handler.notification(this, method, params),
      onClose: () => handler.closed(this),
      onInternalError: (error, method) => handler.failed(error, method),
      timers: clock,
    });
  }

  /** Undefined until the handshake. */
  get profile(): ClientProfile | undefined {
    return this.#profile;
  }

  get clientId(): string {
    return this.#profile?.clientId ?? '';
  }

  get onlySession(): URI | undefined {
    return this.grant?.session;
  }

  get locale(): string | undefined {
    return this.#profile?.locale;
  }

  get program(): string | undefined {
    return this.#profile?.program;
  }

  get isOurs(): boolean {
    return this.#profile?.program?.startsWith('moorage') ?? false;
  }

  get isVscode(): boolean {
    return this.#profile?.program?.startsWith('vscode') ?? false;
  }

  get isBehind(): boolean {
    return !this.#outbox.isFlowing || (this.shared?.isBehind ?? false);
  }

  /** UTF-16 units that wait in the outbox. */
  get queuedChars(): number {
    return this.#outbox.queuedChars;
  }

  /** The protocol version that the client speaks; the host's own before the handshake. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  /** How the client sees the host. Throws before the handshake. */
  get view(): ClientView {
    if (!this.#view) throw new Error('nothing is sent to a client before the handshake');
    return this.#view;
  }

  identify(profile: ClientProfile, dialect: Dialect): void {
    this.#profile = profile;
    this.#dialect = dialect;
  }

  setView(view: ClientView): void {
    this.#view = view;
  }

  /** An error while translating closes this connection only; the other subscribers still get their deliveries. */
  deliver(delivery: Delivery): void {
    try {
      const native = this.onlySession === undefined ? delivery : about(this.onlySession, delivery);
      const translated = this.view.translate ? this.view.translate(native) : native;
      if (!translated) return;
      this.#deliver(this.spelling ? respelledDelivery(translated, (text) => this.#respelled(text)) : translated);
    } catch (error) {
      this.#onTranslationError(error);
    }
  }

  #deliver(delivery: Delivery): void {
    if (!this.shared) this.#outbox.deliver(delivery);
    else for (const { frame } of delivery.messages) this.#send(frame); // each has its place, so its gateway merges them, not the outbox
  }

  #send(frame: string): void {
    this.#outbox.send(frame);
    this.shared?.mark();
  }

  #respelled(text: string): string {
    return this.spelling?.respelled(text) ?? text;
  }

  async drained(): Promise<void> {
    await this.shared?.drained();
    await this.#outbox.drained();
  }
}

/** Without what is said at the root of other sessions. */
function about(session: URI, delivery: Delivery): Delivery {
  const messages = delivery.messages.filter(({ notice }) => {
    if (!notice?.method.startsWith('root/session')) return true;
    const { session: named, summary } = notice.params as { session?: URI; summary?: { resource: URI } };
    return (named ?? summary?.resource) === session;
  });
  return messages.length === delivery.messages.length ? delivery : new Delivery(messages);
}
