import { type Store, StoreError } from '../ports/store.js';

/** A store whose commits a test can make fail. */
export interface FaultyStore extends Store {
  /** Makes the next commits throw, as if the disk were full, without changing anything. */
  failNext(times?: number, error?: StoreError): void;
  /** How many commits failed so far. */
  readonly failures: number;
}

/** Wraps a store, so that its commits can be made to fail. */
export function createFaultyStore(store: Store): FaultyStore {
  let left = 0;
  let failures = 0;
  let failure = diskFull();
  return {
    failNext: (times = 1, error = diskFull()) => {
      left = times;
      failure = error;
    },
    get failures() {
      return failures;
    },
    get header() {
      return store.header;
    },
    commit: (batch) => {
      if (left > 0) {
        left--;
        failures++;
        throw failure;
      }
      store.commit(batch);
    },
    channels: store.channels,
    sessions: store.sessions,
    documents: store.documents,
    close: () => store.close(),
  };
}

function diskFull(): StoreError {
  return new StoreError('unavailable', 'The store cannot grow: the disk is full (says the test).');
}
