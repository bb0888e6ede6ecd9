import type { ChannelKind } from '@moorage/protocol';
import type { DocumentCollection, DocumentPut, Store } from '../ports/store.js';
import type { Committed } from './committed.js';
import type { OpenTick } from './open-tick.js';
import { documentId, type Tick } from './tick.js';

/** Derives a document from an action; it is stored in the same tick as the action. Undefined if there is none. */
type DocumentOf<K extends ChannelKind = ChannelKind> = (committed: Committed<K>) => DocumentPut | undefined;

/** JSON documents that services keep besides channels. A put is stored with the tick it is part of, or not at all. */
export class Documents {
  readonly #store: Store;
  readonly #tick: OpenTick;
  #following: DocumentsOfActions = {};
  /** Kept documents of ticks that could not be stored, until they are put again. */
  readonly #unstored = new Map<string, DocumentPut>();

  constructor(store: Store, tick: OpenTick) {
    this.#store = store;
    this.#tick = tick;
  }

  /** The document including what the open tick has put. When that tick cannot be stored, the stored one shows again. */
  read(collection: DocumentCollection, key: string): string | undefined {
    const put = this.#tick.current.documentPut(collection, key) ?? this.#unstored.get(documentId(collection, key));
    return put ? put.json : this.#store.documents.read(collection, key);
  }

  put(put: DocumentPut): void {
    const replacesKept = this.#unstored.delete(documentId(put.collection, put.key));
    this.#tick.use().putDocument(put, replacesKept);
  }

  /**
   * Puts a document that cannot be found out a second time. When it cannot be stored, it is still what `read` gives, and is
   * put again until it is stored.
   */
  keep(put: DocumentPut): void {
    this.#unstored.delete(documentId(put.collection, put.key));
    this.#tick.use().putDocument(put, true);
  }

  /** Called by the door once: which documents follow from the actions on channels of which kind. */
  follow(following: DocumentsOfActions): void {
    this.#following = following;
  }

  /** Called by the door for each action it has applied. */
  applied(committed: Committed): void {
    for (const documentOf of this.#following[committed.channel.kind] ?? []) {
      const put = (documentOf as DocumentOf)(committed);
      if (put) this.put(put);
    }
  }

  /** Called by the door with a tick that could not be stored. */
  lost(tick: Tick): void {
    for (const put of tick.keptDocuments) this.#unstored.set(documentId(put.collection, put.key), put);
  }

  get hasUnstored(): boolean {
    return this.#unstored.size > 0;
  }

  /** Called by the door when the store may work again. */
  putAgain(): void {
    for (const put of [...this.#unstored.values()]) this.keep(put);
  }
}

export type DocumentsOfActions = { readonly [K in ChannelKind]?: readonly DocumentOf<K>[] };
