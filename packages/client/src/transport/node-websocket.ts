import type { Transport } from '@ahpd/protocol';
import { WebSocket } from 'ws';
import { MAX_INCOMING_CHARS } from '../connection/connection.js';
import { OPEN_TIMEOUT_MS } from '../connection/open-transport.js';
import { ConnectError } from '../errors.js';
import { refusal } from './refusal.js';
import { TransportListeners } from './transport-listeners.js';

/** How long the other side may take to answer a close; after that the process need not stay for it. */
const CLOSE_GRACE_MS = 2_000;

export function openNodeWebSocket(url: string, token: string | undefined): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      maxPayload: MAX_INCOMING_CHARS,
      handshakeTimeout: OPEN_TIMEOUT_MS, // also when nobody waits for it any more: it would keep the process
      perMessageDeflate: false, // a stream of small actions gains little and pays for it on every one
    });
    socket.once('open', () => resolve(transportOf(socket)));
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      reject(refusal(response.statusCode));
    });
    // Stays on: after the opening an error is followed by a close, which says all there is to say.
    socket.on('error', (cause) =>
      reject(new ConnectError('unreachable', `no connection: ${cause.message}`, { cause })),
    );
  });
}

function transportOf(socket: WebSocket): Transport {
  const listeners = new TransportListeners();
  socket.on('message', (data, isBinary) => {
    if (isBinary) socket.close(UNSUPPORTED_DATA, 'text frames only');
    else listeners.message(data.toString());
  });
  socket.on('close', (code, reason) => listeners.close({ code, reason: reason.toString() }));
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close(code, reason) {
      try {
        socket.close(code, reason);
      } catch {
        socket.close(); // not a code or reason that may be sent
      }
      setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
    },
    onMessage: (listener) => listeners.onMessage(listener),
    onClose: (listener) => listeners.onClose(listener),
  };
}

const UNSUPPORTED_DATA = 1003;
