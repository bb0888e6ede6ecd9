import { CloseCodes, type Peer, TransportClosedError } from '@ahpd/protocol';
import type { Connection } from './connection.js';

/** Every open connection, and which of them is which client's. */
export class Connections {
  readonly #open = new Set<Connection>();
  readonly #byClientId = new Map<string, Connection>();
  readonly #onGone: ((connection: Connection) => void)[] = [];
  readonly #onEnded: ((connection: Connection) => void)[] = [];

  /** Called with a client's connection when it is gone for good. */
  onClientGone(listener: (connection: Connection) => void): void {
    this.#onGone.push(listener);
  }

  /** Called with each connection that ended, also one that the same client has replaced by a newer one. */
  onEnded(listener: (connection: Connection) => void): void {
    this.#onEnded.push(listener);
  }

  /** How many connections there are, and how much waits to be sent on them. */
  get load(): { readonly connections: number; readonly queuedChars: number } {
    let queuedChars = 0;
    for (const connection of this.#open) queuedChars += connection.queuedChars;
    return { connections: this.#open.size, queuedChars };
  }

  of(clientId: string): Connection | undefined {
    return this.#byClientId.get(clientId);
  }

  /** The way to ask a client something; throws when it is not there. */
  peerOf(clientId: string): Peer {
    const connection = this.of(clientId);
    if (!connection) throw new TransportClosedError({ reason: 'the client is not connected' });
    return connection.peer;
  }

  add(connection: Connection): void {
    this.#open.add(connection);
  }

  /** A client has said who it is; an older connection of the same client ends (OQ-10). */
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

  closeAll(code: number, reason: string): void {
    for (const connection of [...this.#open]) connection.peer.close(code, reason);
  }
}
