import type { AddressInfo, Socket } from 'node:net';
import { type Listener, silentLog } from '../../ports/index.js';
import { nodeClock } from '../shared/clock/node-clock.js';
import { startListening, stopListening } from '../shared/transport/listening.js';
import { acceptClients, type WebSocketAcceptorOptions } from './acceptor.js';
import { createServer, type TlsOptions } from './http-server.js';
import type { PairingCodes } from './pairing-codes.js';
import { peerAddress } from './peer-address.js';
import { type HttpHandler, servePlainHttp } from './plain-http.js';
import { bracketed } from './site.js';

export interface WebSocketListenerOptions extends Omit<WebSocketAcceptorOptions, 'secure'> {
  /** Address or name to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Certificate and key; without it, connections are not encrypted. */
  readonly tls?: TlsOptions;
  /** Answers requests that are not for the host. */
  readonly http?: HttpHandler;
  /** Codes that may be exchanged for the token with `POST /pair`. */
  readonly pairing?: PairingCodes;
  /** Signs people in: asked first, with requests of any method that come from nobody or from our own pages. */
  readonly signIn?: HttpHandler;
}

export interface WebSocketListener extends Listener {
  /** The port that it listens on. */
  readonly port: number;
}

/** Accepts WebSocket clients that show a credential, and answers health checks and pages on the same port. */
export async function listenWebSocket(options: WebSocketListenerOptions): Promise<WebSocketListener> {
  const { host, tls, http, log = silentLog, clock = nodeClock } = options;
  const acceptor = acceptClients({ ...options, http, secure: tls !== undefined });
  const { limits, plainHttp, refusals, unproven } = acceptor;
  const server = createServer(tls, limits, (request, response) => void servePlainHttp(plainHttp, request, response));
  server.on('upgrade', acceptor.handleUpgrade);
  server.on('connection', (socket: Socket) => {
    const { maxUnprovenSockets: max } = limits;
    if (unproven.add(socket))
      refusals.warn('connection.too-many', 'too many sockets without a token', peerAddress(socket.remoteAddress), {
        max,
      });
  });
  try {
    await startListening(server, { host, port: options.port }, `${bracketed(host)}:${options.port}`, log);
  } catch (error) {
    void acceptor.close();
    throw error;
  }

  const close = async () => {
    const stopped = stopListening(server);
    const grace = clock.setTimeout(() => unproven.destroyAll(), limits.closeGraceMs);
    await acceptor.close();
    await stopped;
    clock.clearTimeout(grace);
  };
  let closing: Promise<void> | undefined;
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
