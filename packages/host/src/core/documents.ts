import type { ChannelKind } from '@ahpd/protocol';
import type { DocumentCollection, DocumentPut, Store } from '../ports/store.js';
import type { Committed } from './committed.js';
import type { OpenTick } from './open-tick.js';

/** What services keep beside channels, as JSON text by key. It is stored with the tick in which it was put, or not at all. */
export class Documents {
  readonly #store: Store;
  readonly #tick: OpenTick;
  readonly #following = new Map<ChannelKind, ((committed: never) => DocumentPut | undefined)[]>();

  constructor(store: Store, tick: OpenTick) {
    this.#store = store;
    this.#tick = tick;
  }

  /** A document as it will be stored, or is; one that could not be stored is as it was before. */
  read(collection: DocumentCollection, key: string): string | undefined {
    const put = this.#tick.current.documentPut(collection, key);
    return put ? put.json : this.#store.documents.read(collection, key);
  }

  put(put: DocumentPut): void {
    this.#tick.use().putDocument(put);
  }

  /** Puts what must be known of actions on channels of a kind beyond their state, together with the action. */
  follow<K extends ChannelKind>(kind: K, documentOf: (committed: Committed<K>) => DocumentPut | undefined): void {
    this.#following.set(kind, [...(this.#following.get(kind) ?? []), documentOf]);
  }

  /** For the door: an action was just applied. */
  applied(committed: Committed): void {
    for (const documentOf of this.#following.get(committed.channel.kind) ?? []) {
      const put = documentOf(committed as never);
      if (put) this.put(put);
    }
  }
}
