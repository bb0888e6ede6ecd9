import type { Socket } from 'node:net';

/**
 * Sockets that have shown no credential yet. When there are too many the oldest is cut, not the newest refused: whoever
 * holds sockets open to keep others out loses them to the others, who need theirs for a moment only.
 */
export class UnprovenSockets {
  readonly #limit: number;
  readonly #sockets = new Map<string, Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns whether another one had to go for it. */
  add(socket: Socket): boolean {
    const cut = this.#sockets.size >= this.#limit && this.#cutOldest();
    const key = peerOf(socket);
    this.#sockets.set(key, socket);
    socket.once('close', () => {
      if (this.#sockets.get(key) === socket) this.#sockets.delete(key);
    });
    return cut;
  }

  /** The client at this socket has shown its credential. */
  prove(socket: Socket): void {
    this.#sockets.delete(peerOf(socket));
  }

  destroyAll(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  #cutOldest(): boolean {
    for (const [key, socket] of this.#sockets) {
      this.#sockets.delete(key);
      socket.destroy();
      return true;
    }
    return false;
  }
}

// With TLS what is accepted and what is upgraded are two objects for one connection; the other end's address is its name.
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
