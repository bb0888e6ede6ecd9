import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Incoming, Log } from '../../ports/index.js';
import { handOver } from '../shared/transport/hand-over.js';
import { type AdmissionOptions, admit } from './admission.js';
import { answer, responseTo } from './answer.js';
import { WebSocketClient } from './client.js';
import type { WebSocketLimits } from './limits.js';
import { peerAddress } from './peer-address.js';
import { type PlainHttpOptions, servePlainHttp } from './plain-http.js';
import { selectSubprotocol } from './presented-token.js';
import type { RefusalLog } from './refusal-log.js';
import { hostNameOf } from './site.js';
import type { UnprovenSockets } from './unproven-sockets.js';

export interface UpgradeOptions {
  readonly admission: Omit<AdmissionOptions, 'hasRoom'>;
  readonly plainHttp: PlainHttpOptions;
  readonly limits: WebSocketLimits;
  /** The connected clients, each with its credential. */
  readonly clients: Map<WebSocketClient, string>;
  readonly refusals: RefusalLog;
  readonly unproven: UnprovenSockets;
  readonly onClient: (incoming: Incoming) => void;
  readonly log: Log;
}

/** Turns upgrade requests into clients, or answers with the reason for a refusal. */
export function createUpgradeHandler(options: UpgradeOptions): (request: IncomingMessage, head: Buffer) => void {
  const { plainHttp, limits, clients, unproven, refusals, onClient, log } = options;
  const hasRoom = (credential: string) => {
    if (clients.size >= limits.maxConnections) return false;
    const own = [...clients.values()].filter((other) => other === credential);
    return own.length < limits.maxConnectionsPerCredential;
  };
  const admission = { ...options.admission, hasRoom };
  const upgrades = new WebSocketServer(upgradeSettings(limits));

  const accept = (request: IncomingMessage, socket: Socket, head: Buffer, credential: string) => {
    upgrades.handleUpgrade(request, socket, head, (ws) => {
      unproven.prove(socket);
      const client = new WebSocketClient(ws, socket, log);
      clients.set(client, credential);
      socket.once('close', () => clients.delete(client));
      const path = request.url?.split('?', 1)[0];
      handOver(client.connection, { credential, reachedAs: hostNameOf(request), path }, onClient, log);
    });
  };

  return (request, head) => {
    const { socket } = request;
    // Node has removed its own listener; an 'error' without a listener would end the process.
    socket.on('error', () => socket.destroy());
    const decision = isWebSocket(request) ? admit(admission, request, peerAddress(socket.remoteAddress)) : undefined;
    if (decision && 'credential' in decision) {
      accept(request, socket, head, decision.credential);
      return;
    }
    const response = responseTo(request);
    if (!response) return;
    if (!decision) {
      void servePlainHttp(plainHttp, request, response);
      return;
    }
    refusals.warn('connection.refused', 'a client was refused', peerAddress(socket.remoteAddress), {
      status: decision.status,
    });
    answer(response, decision);
  };
}

// Some HTTP clients offer HTTP/2 on every request (h2c). The offer is ignored.
function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function upgradeSettings(limits: WebSocketLimits) {
  return {
    noServer: true,
    clientTracking: false,
    // Compression costs 60-80 us per message and 230 KB per client, and batches could no longer be encoded once for all.
    perMessageDeflate: false,
    maxPayload: limits.maxFrameBytes,
    closeTimeout: limits.closeGraceMs,
    // WebSocketClient answers pings itself.
    autoPong: false,
    handleProtocols: selectSubprotocol,
  };
}
