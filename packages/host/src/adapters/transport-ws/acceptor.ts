import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCodes } from '@moorage/protocol';
import { type Clock, type Incoming, type Log, silentLog } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import type { WebSocketClient } from './client.js';
import type { Credentials } from './credentials.js';
import { startHeartbeat } from './heartbeat.js';
import { DEFAULT_WEBSOCKET_LIMITS, type WebSocketLimits } from './limits.js';
import type { PairingCodes } from './pairing-codes.js';
import type { HttpHandler } from './plain-http.js';
import { RefusalLog } from './refusal-log.js';
import { createSite } from './site.js';
import { UnprovenSockets } from './unproven-sockets.js';
import { createUpgradeHandler } from './upgrade.js';
import { WrongTokens } from './wrong-tokens.js';

export interface WebSocketAcceptorOptions {
  /** Checks tokens. */
  readonly credentials: Credentials;
  /**
   * Pages that may connect, such as `https://example.org`. Those that the server itself serves under a loopback or literal
   * address may without being listed; those under a name must be.
   */
  readonly allowedOrigins?: readonly string[];
  /** Whether the server speaks TLS, so that its own pages come from `https:`. Default: false. */
  readonly secure?: boolean;
  /** Bounds; those that are left out have their defaults. */
  readonly limits?: Partial<WebSocketLimits>;
  /** While it returns false, clients get 503. Default: always ready. */
  readonly isReady?: () => boolean;
  /** Usually `host.accept`. */
  readonly onClient: (incoming: Incoming) => void;
  /** Default: the system's. */
  readonly clock?: Timers & Pick<Clock, 'now'>;
  /** Default: nothing is logged. */
  readonly log?: Log;
}

/** Takes WebSocket clients from an HTTP server of your own. */
export interface WebSocketAcceptor {
  /**
   * For the server's `upgrade` event: turns the request into a client, or answers it with the reason for a refusal. Call it
   * for the paths that are meant for the host; what other upgrades mean is for your program to say.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every client, and refuses new ones. Your server goes on. */
  close(): Promise<void>;
}

/** Joins an HTTP server that a program has already. Its time limits and its other requests stay as the program made them. */
export function createWebSocketAcceptor(options: WebSocketAcceptorOptions): WebSocketAcceptor {
  const { handleUpgrade, close } = acceptClients({ ...options, host: 'localhost', http: undefined });
  return { handleUpgrade, close };
}

interface ServedSite extends WebSocketAcceptorOptions {
  /** The address or name that the server listens on. */
  readonly host: string;
  readonly http: HttpHandler | undefined;
  readonly pairing?: PairingCodes | undefined;
  readonly signIn?: HttpHandler | undefined;
}

/** What a server does with clients, whoever made it. */
export function acceptClients(options: ServedSite) {
  const { credentials, onClient, secure = false, allowedOrigins = [], log = silentLog, clock = nodeClock } = options;
  const limits = { ...DEFAULT_WEBSOCKET_LIMITS, ...options.limits };
  const site = createSite({ secure, host: options.host, allowedOrigins });
  const clients = new Map<WebSocketClient, string>();
  const refusals = new RefusalLog(log, clock);
  const unproven = new UnprovenSockets(limits.maxUnprovenSockets);
  let closing: Promise<void> | undefined;

  const isReady = () => closing === undefined && (options.isReady?.() ?? true);
  const plainHttp = {
    site,
    isReady,
    http: options.http,
    pairing: options.pairing,
    signIn: options.signIn,
    refusals,
    log,
  };
  const admission = { site, credentials, isReady, wrongTokens: new WrongTokens(limits, clock) };
  const upgrade = createUpgradeHandler({ admission, plainHttp, limits, clients, unproven, refusals, onClient, log });
  const stopHeartbeat = startHeartbeat(clients, limits, clock, log);

  const closeClients = async () => {
    stopHeartbeat();
    const closed = [...clients.keys()].map((client) => client.closed);
    for (const { connection } of clients.keys()) connection.close(CloseCodes.GoingAway, 'the host stops');
    const grace = clock.setTimeout(() => {
      for (const client of clients.keys()) client.cut('the host stops');
    }, limits.closeGraceMs);
    await Promise.all(closed);
    clock.clearTimeout(grace);
  };
  return {
    limits,
    plainHttp,
    unproven,
    refusals,
    handleUpgrade: (request: IncomingMessage, _socket: Duplex, head: Buffer) => upgrade(request, head),
    close: () => {
      closing ??= closeClients();
      return closing;
    },
  };
}
