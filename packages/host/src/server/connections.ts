import { CloseCodes, type Peer, TransportClosedError } from '@moorage/protocol';
import type { Connection } from './connection.js';

/** All open connections, and the current connection of each client. */
export class Connections {
  readonly #open = new Set<Connection>();
  #closed: { readonly code: number; readonly reason: string } | undefined;
  readonly #byClientId = new Map<string, Connection>();
  readonly #onGone: ((connection: Connection) => void)[] = [];
  readonly #onEnded: ((connection: Connection) => void)[] = [];

  /** Called when a client's connection ended and no newer connection of that client has replaced it. */
  onClientGone(listener: (connection: Connection) => void): void {
    this.#onGone.push(listener);
  }

  /** Called for every connection that ended, including one that was replaced or never identified itself. */
  onEnded(listener: (connection: Connection) => void): void {
    this.#onEnded.push(listener);
  }

  /** The number of connections, and the UTF-16 units that wait in their outboxes. */
  get load(): { readonly connections: number; readonly queuedChars: number } {
    let queuedChars = 0;
    for (const connection of this.#open) queuedChars += connection.queuedChars;
    return { connections: this.#open.size, queuedChars };
  }

  of(clientId: string): Connection | undefined {
    return this.#byClientId.get(clientId);
  }

  /** The peer for requests to a client; throws a TransportClosedError when the client is not connected. */
  peerOf(clientId: string): Peer {
    const connection = this.of(clientId);
    if (!connection) throw new TransportClosedError({ reason: 'the client is not connected' });
    return connection.peer;
  }

  add(connection: Connection): void {
    this.#open.add(connection);
    if (this.#closed) connection.peer.close(this.#closed.code, this.#closed.reason);
  }

  /** Makes this the client's connection; an older connection of the same client is closed (OQ-10). */
  claim(connection: Connection): void {
    const older = this.#byClientId.get(connection.clientId);
    this.#byClientId.set(connection.clientId, connection);
    if (older && older !== connection) older.peer.close(CloseCodes.Replaced, 'a newer connection took over');
  }

  ended(connection: Connection): void {
    this.#open.delete(connection);
    for (const listener of this.#onEnded) listener(connection);
    if (this.#byClientId.get(connection.clientId) !== connection) return; // never identified, or replaced
    this.#byClientId.delete(connection.clientId);
    for (const listener of this.#onGone) listener(connection);
  }

  /** Closes the connections of a credential that has ended. */
  closeOf(credential: string, code: number, reason: string): void {
    for (const connection of [...this.#open])
      if (connection.credential === credential) connection.peer.close(code, reason);
  }

  has(credential: string): boolean {
    return [...this.#open].some((connection) => connection.credential === credential && connection.profile);
  }

  /** For good: what is added from now on is closed at once, or a client could come back to a host that is going. */
  closeAll(code: number, reason: string): void {
    this.#closed = { code, reason };
    for (const connection of [...this.#open]) connection.peer.close(code, reason);
  }
}
