import { MAX_REMEMBERED_CLIENTS, MAX_REMEMBERED_DISPATCHES } from './limits.js';

/**
 * Remembers the accepted dispatches of each client since its last `initialize`, so that one sent again after a reconnect
 * is not applied twice (OQ-23). The oldest are forgotten past a bound.
 */
export class DispatchMemory {
  readonly #clients = new Map<string, Set<number>>();

  has(clientId: string, clientSeq: number): boolean {
    return this.#clients.get(clientId)?.has(clientSeq) ?? false;
  }

  add(clientId: string, clientSeq: number): void {
    const seen = this.#clients.get(clientId) ?? new Set();
    this.#clients.delete(clientId);
    this.#clients.set(clientId, seen.add(clientSeq));
    dropOldest(seen, MAX_REMEMBERED_DISPATCHES);
    dropOldest(this.#clients, MAX_REMEMBERED_CLIENTS);
  }

  /** For a dispatch that could not be stored: it may be sent again. */
  remove(clientId: string, clientSeq: number): void {
    this.#clients.get(clientId)?.delete(clientSeq);
  }

  /** Called on `initialize`: the client may start its clientSeq at 1 again. */
  forget(clientId: string): void {
    this.#clients.delete(clientId);
  }
}

function dropOldest<K>(entries: { size: number; keys(): Iterator<K>; delete(key: K): boolean }, max: number): void {
  if (entries.size <= max) return;
  const { value, done } = entries.keys().next();
  if (!done) entries.delete(value);
}
