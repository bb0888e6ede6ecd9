import type { Transport, TransportListeners } from '@ahpd/protocol';

/** What WebSockets of browsers and of Node have in common. */
interface Socket {
  readonly readyState: number;
  readonly OPEN: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** A transport over a WebSocket that is open. */
export function webSocketTransport(socket: Socket, listeners: TransportListeners): Transport {
  return listeners.with({
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    close(code, reason) {
      try {
        socket.close(code, reason);
      } catch {
        socket.close(); // not a code or reason that may be sent; pages may send few only
      }
    },
  });
}
