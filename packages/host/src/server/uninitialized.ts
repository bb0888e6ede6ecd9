import { CloseCodes } from '@moorage/protocol';
import type { Clock } from '../ports/clock.js';
import type { Connection } from './connection.js';
import { HANDSHAKE_TIMEOUT_MS, MAX_UNINITIALIZED } from './limits.js';

/**
 * Connections before their handshake. They have shown a credential, but are nobody's yet, and must not take the places of
 * clients: they are closed after a time, and the oldest of a credential when there are too many.
 */
export class Uninitialized {
  readonly #clock: Clock;
  readonly #timers = new Map<string, Map<Connection, unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(connection: Connection): void {
    const { credential, peer } = connection;
    const own = this.#timers.get(credential) ?? new Map<Connection, unknown>();
    this.#timers.set(credential, own);
    const late = () => peer.close(CloseCodes.PolicyViolation, 'no "initialize" or "reconnect" came in time');
    own.set(connection, this.#clock.setTimeout(late, HANDSHAKE_TIMEOUT_MS));
    const [oldest] = own.keys();
    if (own.size <= MAX_UNINITIALIZED || !oldest) return;
    this.remove(oldest);
    oldest.peer.close(CloseCodes.TryAgainLater, 'too many connections without "initialize" or "reconnect"');
  }

  /** It has shaken hands, or has ended. */
  remove(connection: Connection): void {
    const own = this.#timers.get(connection.credential);
    this.#clock.clearTimeout(own?.get(connection));
    own?.delete(connection);
    if (own?.size === 0) this.#timers.delete(connection.credential);
  }
}
