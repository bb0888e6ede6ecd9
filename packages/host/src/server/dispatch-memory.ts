import { MAX_REMEMBERED_CLIENTS, MAX_REMEMBERED_DISPATCHES } from './limits.js';

/** Which dispatches of each client were accepted since its last `initialize`: one that is sent twice counts once (OQ-23). */
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

  /** It came to nothing after all: sent again, it counts. */
  remove(clientId: string, clientSeq: number): void {
    this.#clients.get(clientId)?.delete(clientSeq);
  }

  /** A client that starts anew may count from 1 again. */
  forget(clientId: string): void {
    this.#clients.delete(clientId);
  }
}

function dropOldest<K>(entries: { size: number; keys(): Iterator<K>; delete(key: K): boolean }, max: number): void {
  if (entries.size <= max) return;
  const { value, done } = entries.keys().next();
  if (!done) entries.delete(value);
}
