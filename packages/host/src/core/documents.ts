import type { ActionOf, ChannelKind, StateAction } from '@moorage/protocol';
import type { DocumentCollection, DocumentPut, Store } from '../ports/store.js';
import type { Committed } from './committed.js';
import { documentId, type OpenTick, type Tick } from './tick.js';

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

  /** Called by the door once: which documents follow from which actions. */
  follow(following: DocumentsOfActions): void {
    this.#following = following;
  }

  /** Called by the door for each action it has applied. */
  applied(committed: Committed): void {
    for (const documentOf of this.#following[committed.action.type] ?? []) {
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

/** For each type of action, what derives a document from it, to be stored in the same tick; undefined if there is none. */
export type DocumentsOfActions = {
  readonly [T in StateAction['type']]?: readonly DocumentOf<KindOf<T>>[];
};

type DocumentOf<K extends ChannelKind = ChannelKind> = (committed: Committed<K>) => DocumentPut | undefined;

/** The kind of channel that an action belongs on. */
type KindOf<T> = { [K in ChannelKind]: T extends ActionOf<K>['type'] ? K : never }[ChannelKind];
