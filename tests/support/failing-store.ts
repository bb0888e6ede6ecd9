import { type Store, type StoreBatch, StoreError } from '@moorage/host';

/** A store that the test can make fail: nothing is written then, as if the disk were full. */
export class FailingStore {
  static readonly MESSAGE = 'The disk is full (says the test).';
  #fails: (batch: StoreBatch) => boolean = () => false;
  failures = 0;

  /** For `TestHostOptions.store`. */
  readonly wrap = (store: Store): Store => ({
    get header() {
      return store.header;
    },
    commit: (batch) => {
      if (this.#fails(batch)) {
        this.failures++;
        throw new StoreError('unavailable', FailingStore.MESSAGE);
      }
      store.commit(batch);
    },
    channels: store.channels,
    sessions: store.sessions,
    documents: store.documents,
    close: () => store.close(),
  });

  fail(which: (batch: StoreBatch) => boolean = () => true): void {
    this.#fails = which;
  }

  recover(): void {
    this.#fails = () => false;
  }
}

/** Whether a batch holds an action of this type. */
export function holds(type: string): (batch: StoreBatch) => boolean {
  return ({ log = [] }) => log.some(({ envelopes }) => envelopes.includes(`"type":"${type}"`));
}
