import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CloseCodes } from '@moorage/protocol';
import { type Clock, type Incoming, type Listener, type Log, silentLog } from '../../ports/index.js';
import { startListening, stopListening } from '../shared/transport/listening.js';
import type { Timers } from '../shared/transport/wire-transport.js';
import type { WebSocketClient } from './client.js';
import type { Credentials } from './credentials.js';
import { startHeartbeat } from './heartbeat.js';
import { createServer, type TlsOptions } from './http-server.js';
import { DEFAULT_WEBSOCKET_LIMITS, type WebSocketLimits } from './limits.js';
import { peerAddress } from './peer-address.js';
import { type HttpHandler, servePlainHttp } from './plain-http.js';
import { RefusalLog } from './refusal-log.js';
import { bracketed, createSite } from './site.js';
import { UnprovenSockets } from './unproven-sockets.js';
import { createUpgradeHandler } from './upgrade.js';
import { WrongTokens } from './wrong-tokens.js';

export interface WebSocketListenerOptions {
  /** Address or name to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls?: TlsOptions;
  readonly credentials: Credentials;
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<WebSocketLimits>;
  readonly http?: HttpHandler;
  /** While it returns false, clients get 503. Default: always ready. */
  readonly isReady?: () => boolean;
  readonly onClient: (incoming: Incoming) => void;
  readonly clock: Timers & Pick<Clock, 'now'>;
  readonly log?: Log;
}

export interface WebSocketListener extends Listener {
  readonly port: number;
}

/** Accepts WebSocket clients that show a credential, and answers health checks and pages on the same port. */
export async function listenWebSocket(options: WebSocketListenerOptions): Promise<WebSocketListener> {
  const { host, tls, credentials, onClient, log = silentLog, clock: timers } = options;
  const limits = { ...DEFAULT_WEBSOCKET_LIMITS, ...options.limits };
  const site = createSite({ secure: tls !== undefined, host, allowedOrigins: options.allowedOrigins ?? [] });
  const clients = new Map<WebSocketClient, string>();
  const refusals = new RefusalLog(log, timers);
  const unproven = new UnprovenSockets(limits.maxUnprovenSockets);
  let closing: Promise<void> | undefined;

  const isReady = () => closing === undefined && (options.isReady?.() ?? true);
  const plainHttp = { site, isReady, http: options.http, log };
  const admission = { site, credentials, isReady, wrongTokens: new WrongTokens(limits, timers) };
  const upgrade = createUpgradeHandler({ admission, plainHttp, limits, clients, unproven, refusals, onClient, log });
  const server = createServer(tls, limits, (request, response) => void servePlainHttp(plainHttp, request, response));
  server.on('upgrade', (request: IncomingMessage, _socket: Duplex, head: Buffer) => upgrade(request, head));
  server.on('connection', (socket: Socket) => {
    const { maxUnprovenSockets: max } = limits;
    if (unproven.add(socket))
      refusals.warn('connection.too-many', 'too many sockets without a token', peerAddress(socket.remoteAddress), {
        max,
      });
  });
  await startListening(server, { host, port: options.port }, `${bracketed(host)}:${options.port}`, log);
  const stopHeartbeat = startHeartbeat(clients, limits, timers, log);

  const close = async () => {
    stopHeartbeat();
    const stopped = stopListening(server);
    for (const { connection } of clients.keys()) connection.close(CloseCodes.GoingAway, 'the host stops');
    const grace = timers.setTimeout(() => {
      unproven.destroyAll();
      for (const client of clients.keys()) client.cut('the host stops');
    }, limits.closeGraceMs);
    await stopped;
    timers.clearTimeout(grace);
  };
  const { port } = server.address() as AddressInfo;
  return {
    address: `${tls ? 'wss' : 'ws'}://${bracketed(host)}:${port}/`,
    port,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
