import type { Socket } from 'node:net';
import { CloseCodes } from '@ahpd/protocol';
import { WebSocket } from 'ws';
import type { Log } from '../../ports/index.js';
import { Connection, type Wire } from '../shared/transport/connection.js';
import { carriable, received, violation } from './close-frame.js';
import { encodePong, encodeTextFrames, PING } from './frames.js';
import type { WebSocketLimits } from './limits.js';

/**
 * One WebSocket client. `ws` reads; the frames are written here, straight to the socket, so that a batch is encoded once
 * for all clients. The two share the order of the socket, because `ws` too writes at once when it does not compress.
 */
export class WebSocketClient {
  readonly connection: Connection;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  #unanswered = 0;
  #read = -1;
  #taken = 0;
  #waited = false;

  constructor(ws: WebSocket, socket: Socket, log: Log) {
    this.#ws = ws;
    this.#socket = socket;
    this.connection = new Connection(wireOf(ws, socket), log);
    const { connection } = this;
    ws.on('message', (data, isBinary) => {
      if (isBinary) connection.close(CloseCodes.UnsupportedData, 'text frames only');
      else connection.received(String(data));
    });
    ws.on('error', (error) => connection.ended(violation(error)));
    ws.on('close', (code, reason) => connection.ended(received(code, String(reason))));
    answerPings(ws, connection);
  }

  /** Pings. False when so many pings in a row brought no sign of life that the other side must be gone. */
  ping(limits: Pick<WebSocketLimits, 'maxUnansweredPings' | 'maxStalledPings'>): boolean {
    const { bytesRead, bytesWritten, writableLength } = this.#socket;
    const taken = bytesWritten - writableLength;
    // Our ping waits behind what we sent. Who takes that in is alive, though the pong will be long in coming.
    const alive = bytesRead !== this.#read || (this.#waited && taken !== this.#taken);
    this.#unanswered = alive ? 0 : this.#unanswered + 1;
    this.#read = bytesRead;
    this.#taken = taken;
    this.#waited = writableLength > 0;
    this.connection.writeBytes(PING);
    return this.#unanswered < (this.#waited ? limits.maxStalledPings : limits.maxUnansweredPings);
  }

  /** Cuts the connection without a goodbye. */
  cut(reason: string): void {
    this.connection.ended({ code: CloseCodes.Abnormal, reason });
    this.#ws.terminate();
  }
}

function wireOf(ws: WebSocket, output: Socket): Wire {
  return {
    output,
    encode: encodeTextFrames,
    get writable() {
      return ws.readyState === WebSocket.OPEN;
    },
    end: (code, reason) => {
      const goodbye = carriable(code, reason);
      ws.close(goodbye.code, goodbye.reason);
    },
  };
}

// Who pings without reading our pongs would fill our memory with them. Only the latest ping must be answered (RFC 6455,
// section 5.5.3), so while anything waits only that one is kept.
function answerPings(ws: WebSocket, connection: Connection): void {
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
