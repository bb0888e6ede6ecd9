import type { ChannelKind } from '@moorage/protocol';
import type { DocumentCollection, DocumentPut, Store } from '../ports/store.js';
import type { Committed } from './committed.js';
import type { OpenTick } from './open-tick.js';

/** JSON documents that services keep besides channels. A put is stored with the tick it is part of, or not at all. */
export class Documents {
  readonly #store: Store;
  readonly #tick: OpenTick;
  readonly #following = new Map<ChannelKind, ((committed: never) => DocumentPut | undefined)[]>();

  constructor(store: Store, tick: OpenTick) {
    this.#store = store;
    this.#tick = tick;
  }

  /** The document including what the open tick has put. When that tick cannot be stored, the stored one shows again. */
  read(collection: DocumentCollection, key: string): string | undefined {
    const put = this.#tick.current.documentPut(collection, key);
    return put ? put.json : this.#store.documents.read(collection, key);
  }

  put(put: DocumentPut): void {
    this.#tick.use().putDocument(put);
  }

  /** Derives a document from each action on channels of a kind; it is stored in the same tick as the action. */
  follow<K extends ChannelKind>(kind: K, documentOf: (committed: Committed<K>) => DocumentPut | undefined): void {
    this.#following.set(kind, [...(this.#following.get(kind) ?? []), documentOf]);
  }

  /** Called by the door for each action it has applied. */
  applied(committed: Committed): void {
    for (const documentOf of this.#following.get(committed.channel.kind) ?? []) {
      const put = documentOf(committed as never);
      if (put) this.put(put);
    }
  }
}
