import type { Socket } from 'node:net';

/**
 * Sockets that have shown no credential yet. When there are too many, the oldest is destroyed rather than the newest refused:
 * an attacker who holds sockets open then loses them to honest clients, who need theirs only for a moment.
 */
export class UnprovenSockets {
  readonly #limit: number;
  readonly #sockets = new Map<string, Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns whether another socket was destroyed to make room. */
  add(socket: Socket): boolean {
    const isFull = this.#sockets.size >= this.#limit && this.#destroyOldest();
    const key = peerOf(socket);
    this.#sockets.set(key, socket);
    socket.once('close', () => {
      if (this.#sockets.get(key) === socket) this.#sockets.delete(key);
    });
    return isFull;
  }

  /** The client at this socket has shown its credential. */
  prove(socket: Socket): void {
    this.#sockets.delete(peerOf(socket));
  }

  destroyAll(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  #destroyOldest(): boolean {
    for (const [key, socket] of this.#sockets) {
      this.#sockets.delete(key);
      socket.destroy();
      return true;
    }
    return false;
  }
}

// With TLS, the accepted and the upgraded socket are different objects, so a connection is identified by its peer's address.
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
