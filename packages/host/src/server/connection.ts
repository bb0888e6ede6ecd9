import {
  type ClientCapabilities,
  CloseCodes,
  createPeer,
  type Peer,
  type RpcParams,
  type Transport,
  type URI,
} from '@ahpd/protocol';
import { type Dialect, nativeDialect } from '@ahpd/protocol/versions';
import type { Delivery, Subscriber } from '../core/subscriber.js';
import type { Clock } from '../ports/clock.js';
import type { Incoming } from '../ports/transport.js';
import type { ClientView } from './dialects/view.js';
import { Outbox } from './outbox.js';

/** What is known of a client once it has said who it is. */
export interface ClientProfile {
  readonly clientId: string;
  /** A string, or the number of the first version. */
  readonly protocolVersion: string | number;
  readonly capabilities?: ClientCapabilities | undefined;
  readonly locale?: string | undefined;
}

/** What the server does with what a connection receives. */
export interface ConnectionHandler {
  request(connection: Connection, method: string, params: RpcParams | undefined): unknown;
  notification(connection: Connection, method: string, params: RpcParams | undefined): void;
  closed(connection: Connection): void;
  failed(error: unknown, method: string): void;
}

/** One client's connection: its identity, its subscriptions, and the way out to it. */
export class Connection implements Subscriber {
  readonly channels = new Set<URI>();
  readonly credential: string;
  readonly peer: Peer;
  /** Whether its first request named a channel; the first version had none. */
  namesChannels = true;
  readonly #outbox: Outbox;
  readonly #onFault: (error: unknown) => void;
  #profile: ClientProfile | undefined;
  #dialect: Dialect = nativeDialect;
  #view: ClientView | undefined;

  constructor({ transport, credential }: Incoming, handler: ConnectionHandler, clock: Clock) {
    this.credential = credential;
    this.#onFault = (error) => {
      handler.failed(error, 'action');
      clock.defer(() => this.peer.close(CloseCodes.InternalError, 'the host cannot tell this; reconnect to resume'));
    };
    this.#outbox = new Outbox(
      transport,
      (envelope, change) => this.view.encode(envelope, change),
      () => this.peer.close(CloseCodes.TryAgainLater, 'too slow; reconnect to resume'),
    );
    const ordered: Transport = {
      send: (text) => this.#outbox.send(text),
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

  get locale(): string | undefined {
    return this.#profile?.locale;
  }

  get isBehind(): boolean {
    return !this.#outbox.isFlowing;
  }

  /** UTF-16 units that wait for the network to take them. */
  get queuedChars(): number {
    return this.#outbox.queuedChars;
  }

  /** The version that the client speaks; ours until it has said so. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  get view(): ClientView {
    if (!this.#view) throw new Error('nothing is sent to a client before the handshake');
    return this.#view;
  }

  identify(profile: ClientProfile, dialect: Dialect): void {
    this.#profile = profile;
    this.#dialect = dialect;
  }

  see(view: ClientView): void {
    this.#view = view;
  }

  /** A fault in a translation is this client's alone: it must not keep the others from what is theirs. */
  deliver(delivery: Delivery): void {
    try {
      const told = this.view.translate(delivery);
      if (told) this.#outbox.deliver(told);
    } catch (error) {
      this.#onFault(error);
    }
  }

  drained(): Promise<void> {
    return this.#outbox.drained();
  }
}
