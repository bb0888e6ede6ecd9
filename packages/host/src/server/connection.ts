import {
  type ClientCapabilities,
  createPeer,
  type DispatchActionParams,
  type Peer,
  type RpcParams,
  type StateAction,
  type Transport,
  type URI,
} from '@ahpd/protocol';
import type { Delivery, Subscriber } from '../core/subscriber.js';
import type { Clock } from '../ports/clock.js';
import type { Incoming } from '../ports/transport.js';
import { CLOSE_TOO_SLOW } from './limits.js';
import { Outbox } from './outbox.js';

/** What is known of a client once it has said who it is. */
export interface ClientProfile {
  readonly clientId: string;
  readonly protocolVersion: string;
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
  readonly #outbox: Outbox;
  #profile: ClientProfile | undefined;

  constructor({ transport, credential }: Incoming, handler: ConnectionHandler, clock: Clock) {
    this.credential = credential;
    this.#outbox = new Outbox(transport, () => this.peer.close(CLOSE_TOO_SLOW, 'too slow; reconnect to resume'));
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

  get isBehind(): boolean {
    return !this.#outbox.isFlowing;
  }

  identify(profile: ClientProfile): void {
    this.#profile = profile;
  }

  deliver(delivery: Delivery): void {
    this.#outbox.deliver(delivery);
  }

  drained(): Promise<void> {
    return this.#outbox.drained();
  }
}

/** A dispatch whose envelope can be read; whether the action itself is valid is for the rules to say. */
export function readDispatch(params: RpcParams | undefined): DispatchActionParams | undefined {
  if (!params || Array.isArray(params)) return undefined;
  const { channel, clientSeq, action } = params as Record<string, unknown>;
  const isAction = typeof action === 'object' && action !== null && 'type' in action && typeof action.type === 'string';
  if (typeof channel !== 'string' || !Number.isSafeInteger(clientSeq) || !isAction) return undefined;
  return { channel, clientSeq: clientSeq as number, action: action as unknown as StateAction };
}
