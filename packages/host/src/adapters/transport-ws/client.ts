import type { Socket } from 'node:net';
import { CloseCodes } from '@moorage/protocol';
import { WebSocket } from 'ws';
import type { Log } from '../../ports/index.js';
import { type Wire, WireTransport } from '../shared/transport/wire-transport.js';
import { carriable, received, violation } from './close-frame.js';
import { encodePong, encodeTextFrames, PING, textFrameInPieces } from './frames.js';
import type { WebSocketLimits } from './limits.js';

/**
 * One WebSocket client. `ws` reads, but this class writes frames directly to the socket, so that a batch is encoded once for
 * all clients. The order is kept, because `ws` also writes immediately as long as it does not compress.
 */
export class WebSocketClient {
  readonly connection: WireTransport;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  #unansweredPings = 0;
  #bytesRead = -1;
  #bytesSent = 0;
  #hadBacklog = false;

  constructor(ws: WebSocket, socket: Socket, log: Log) {
    this.#ws = ws;
    this.#socket = socket;
    this.connection = new WireTransport(wireOf(ws, socket), log);
    const { connection } = this;
    ws.on('message', (data, isBinary) => {
      if (isBinary) connection.close(CloseCodes.UnsupportedData, 'text frames only');
      else connection.received(String(data));
    });
    ws.on('error', (error) => connection.ended(violation(error)));
    ws.on('close', (code, reason) => connection.ended(received(code, String(reason))));
    answerPings(ws, connection);
  }

  /** Pings the client. Returns false after so many pings without a sign of life that the client must be gone. */
  ping(limits: Pick<WebSocketLimits, 'maxUnansweredPings' | 'maxStalledPings'>): boolean {
    const { bytesRead, bytesWritten, writableLength } = this.#socket;
    const bytesSent = bytesWritten - writableLength;
    // A ping waits behind the backlog. A client that still reads the backlog is alive, though its pong will take a while.
    const isAlive = bytesRead !== this.#bytesRead || (this.#hadBacklog && bytesSent !== this.#bytesSent);
    this.#unansweredPings = isAlive ? 0 : this.#unansweredPings + 1;
    this.#bytesRead = bytesRead;
    this.#bytesSent = bytesSent;
    this.#hadBacklog = writableLength > 0;
    this.connection.writeBytes(PING);
    return this.#unansweredPings < (this.#hadBacklog ? limits.maxStalledPings : limits.maxUnansweredPings);
  }

  /** Ends the connection without a close frame. */
  cut(reason: string): void {
    this.connection.ended({ code: CloseCodes.Abnormal, reason });
    this.#ws.terminate();
  }
}

function wireOf(ws: WebSocket, output: Socket): Wire {
  return {
    output,
    encode: encodeTextFrames,
    inPieces: textFrameInPieces,
    get writable() {
      return ws.readyState === WebSocket.OPEN;
    },
    end: (code, reason) => {
      const frame = carriable(code, reason);
      ws.close(frame.code, frame.reason);
    },
  };
}

// Pongs to a client that pings but does not read would fill the host's memory. Only the latest ping must be answered
// (RFC 6455, section 5.5.3), so only that one is kept while there is a backlog.
function answerPings(ws: WebSocket, connection: WireTransport): void {
  let unanswered: Buffer | undefined;
  ws.on('ping', (payload) => {
    if (connection.backlog > 0) unanswered = payload;
    else connection.writeBytes(encodePong(payload));
  });
  connection.onDrain(() => {
    if (unanswered) connection.writeBytes(encodePong(unanswered));
    unanswered = undefined;
  });
}
