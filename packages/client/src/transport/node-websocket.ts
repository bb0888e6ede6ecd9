import { CloseCodes, type Transport, TransportListeners } from '@moorage/protocol';
import { WebSocket } from 'ws';
import { MAX_INCOMING_CHARS } from '../connection/connection.js';
import { OPEN_TIMEOUT_MS } from '../connection/open-transport.js';
import { ConnectError } from '../errors.js';
import { CLOSE_GRACE_MS } from './limits.js';
import { webSocketTransport } from './websocket.js';

export function openNodeWebSocket(url: string, token: string | undefined): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      maxPayload: MAX_INCOMING_CHARS,
      handshakeTimeout: OPEN_TIMEOUT_MS, // `openTransport` gives up as well, but the socket would keep the process alive
      perMessageDeflate: false, // gains little on a stream of small actions, and costs on every one
    });
    socket.once('open', () => resolve(transportOf(socket)));
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      reject(refusal(response.statusCode));
    });
    // Stays attached: once open, an error is followed by a close, which is what listeners hear.
    socket.on('error', (cause) =>
      reject(new ConnectError('unreachable', `no connection: ${cause.message}`, { cause })),
    );
  });
}

function transportOf(socket: WebSocket): Transport {
  const listeners = new TransportListeners();
  socket.on('message', (data, isBinary) => {
    if (isBinary) socket.close(CloseCodes.UnsupportedData, 'text frames only');
    else listeners.message(data.toString());
  });
  socket.on('close', (code, reason) => listeners.close({ code, reason: reason.toString() }));
  const transport = webSocketTransport(socket, listeners);
  return {
    ...transport,
    close(code, reason) {
      transport.close(code, reason);
      setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
    },
  };
}

/** The host answered the upgrade with this HTTP status instead. */
function refusal(status: number | undefined): ConnectError {
  if (status === 401) return new ConnectError('refused', 'the host wants a valid token (HTTP 401)', { status });
  if (status === 403) return new ConnectError('refused', 'the host does not allow this client (HTTP 403)', { status });
  if (status === 429) return new ConnectError('unreachable', TOO_MANY_TRIES, { status });
  return new ConnectError('unreachable', `no WebSocket at this address (HTTP ${status})`, { status });
}

const TOO_MANY_TRIES = 'too many wrong tokens came from this address; try again in a moment (HTTP 429)';
