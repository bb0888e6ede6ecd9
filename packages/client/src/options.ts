import {
  type ChannelKind,
  type ClientCapabilities,
  type Implementation,
  ROOT_URI,
  type Transport,
} from '@moorage/protocol';
import { type Clock, systemClock } from './clock.js';
import type { ReconnectOptions } from './connection/backoff.js';
import type { Timeout } from './connection/caller.js';
import type { LivenessOptions } from './connection/liveness.js';
import { ProtocolError } from './errors.js';
import { randomId } from './random-id.js';

/** A URI, with its kind where the URI alone does not tell it. */
export type ChannelName = string | { readonly uri: string; readonly kind: ChannelKind };

/** Who the client is, and how it behaves. */
export interface ClientOptions {
  /** Identifies this client to the host and to other clients; default: a random UUID. */
  readonly clientId?: string | undefined;
  /** Which program this is, for the host's logs; default: this library. */
  readonly clientInfo?: Implementation | undefined;
  /** The versions to offer, most preferred first; default: those that this library speaks. */
  readonly protocolVersions?: readonly string[] | undefined;
  /**
   * Subscribed in the same round trip as the handshake; default: the root channel, without which there are no `root/`
   * notifications. It stays subscribed; others until they were taken with `subscribe` and the last mirror was released.
   */
  readonly initialSubscriptions?: readonly ChannelName[] | undefined;
  /** The language for texts that the host writes for the user (BCP 47). */
  readonly locale?: string | undefined;
  /** What this client can do that not all can. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** How to come back after the connection was lost; false: not at all. */
  readonly reconnect?: ReconnectOptions | false | undefined;
  /** How to find out that the connection is dead; false: not at all. */
  readonly liveness?: LivenessOptions | false | undefined;
  /** Milliseconds from a request to its answer, waiting for a connection included; false: no limit. */
  readonly requestTimeoutMs?: Timeout | undefined;
  /** Hears of a host that breaks the protocol (`ProtocolError`), and of what listeners and handlers throw. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Gives up connecting: `connect` rejects with the signal's reason. Without effect once the client is connected. */
  readonly signal?: AbortSignal | undefined;
  /** For tests; default: the system's. */
  readonly clock?: Clock | undefined;
  /** The time that reducers put into states; default: the clock's. */
  readonly now?: (() => number) | undefined;
  /** For jitter: from 0 to less than 1. */
  readonly random?: (() => number) | undefined;
}

/** How to reach the host: by its address, or over transports of your own. */
export type ConnectTarget =
  | { readonly url: string; readonly token?: string | undefined }
  | { readonly transport: () => Promise<Transport> | Transport };

/** All options of `connect`. */
export type ConnectOptions = ClientOptions & ConnectTarget;

/** Of one shape, so that the same types and reducers serve them all. */
const PROTOCOL_VERSIONS: readonly string[] = ['1.0.0', '0.9.0'];

/** Long enough for a host that has to start an agent first. */
const REQUEST_TIMEOUT_MS = 60_000;

export type Settings = ReturnType<typeof settingsOf>;

export function settingsOf(options: ClientOptions) {
  const clock = options.clock ?? systemClock;
  return {
    clientId: options.clientId ?? randomId(),
    clientInfo: options.clientInfo ?? { name: 'moorage-client' },
    protocolVersions: options.protocolVersions ?? PROTOCOL_VERSIONS,
    initialSubscriptions: options.initialSubscriptions ?? [ROOT_URI],
    locale: options.locale,
    capabilities: options.capabilities,
    reconnect: options.reconnect ?? {},
    liveness: options.liveness ?? {},
    requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    report: reporter(options.onError),
    clock,
    env: { now: options.now ?? (() => clock.now()) },
    random: options.random ?? Math.random,
  };
}

function reporter(onError: ((error: unknown) => void) | undefined): (error: unknown) => void {
  return (error) => {
    // A host must not be able to end the process. What the program's own functions throw stays an uncaught error.
    if (!onError) return error instanceof ProtocolError ? undefined : throwLater(error);
    try {
      onError(error);
    } catch (thrown) {
      throwLater(thrown);
    }
  };
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
