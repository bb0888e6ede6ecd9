import type { URI, WireObject } from '@ahpd/protocol';
import { MAX_REMEMBERED_CLIENTS, MAX_REMEMBERED_DISPATCHES } from '../limits.js';

export interface Dispatched {
  readonly channel: URI;
  readonly action: WireObject;
}

/**
 * What clients of other versions dispatched, as they wrote it: that is what their echo says. What comes back from a
 * translation may lack something, and the client would lose it.
 */
export class EchoMemory {
  readonly #clients = new Map<string, Map<number, Dispatched>>();

  get(clientId: string, clientSeq: number): Dispatched | undefined {
    return this.#clients.get(clientId)?.get(clientSeq);
  }

  add(clientId: string, clientSeq: number, dispatched: Dispatched): void {
    const sent = this.#clients.get(clientId) ?? new Map<number, Dispatched>();
    this.#clients.delete(clientId);
    this.#clients.set(clientId, sent.set(clientSeq, dispatched));
    dropOldest(sent, MAX_REMEMBERED_DISPATCHES);
    dropOldest(this.#clients, MAX_REMEMBERED_CLIENTS);
  }

  /** A client that starts anew may count from 1 again. */
  forget(clientId: string): void {
    this.#clients.delete(clientId);
  }
}

function dropOldest<K>(entries: Map<K, unknown>, max: number): void {
  if (entries.size <= max) return;
  const { value, done } = entries.keys().next();
  if (!done) entries.delete(value);
}
