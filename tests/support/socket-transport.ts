import type { Transport } from '@moorage/protocol';
import { WebSocket } from 'ws';

/** A bare WebSocket as a transport: of our client library, tests of the wire use nothing. */
export function socketTransport(socket: WebSocket): Transport {
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code, reason) => socket.close(code, reason),
    onMessage: (listener) => socket.on('message', (data) => listener(data.toString())),
    onClose: (listener) => socket.on('close', (code, reason) => listener({ code, reason: reason.toString() })),
  };
}
