import type { Transport, TransportListeners } from '@moorage/protocol';

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
        socket.close(); // pages may send only 1000 and 3000 to 4999, and only short reasons
      }
    },
  });
}
