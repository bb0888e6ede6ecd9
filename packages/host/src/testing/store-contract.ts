import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Store, StoreError } from '../ports/store.js';
import { describeStoredChannels } from './store-contract-channels.js';
import { describeCommits } from './store-contract-commits.js';
import { describeFeed } from './store-contract-feed.js';
import { describeReplay } from './store-contract-replay.js';
import { describeStoredSessions } from './store-contract-sessions.js';

/** A fresh, empty store, and a way to reopen it. */
export interface StoreUnderTest {
  /** A fresh, empty store. */
  readonly store: Store;
  /** Closes the store and opens it again, as a restarted host would. */
  reopen(): Store;
  /** Called after each test. */
  cleanup(): void;
}

/** The store of the running test. */
export interface CurrentStore {
  readonly store: Store;
  reopen(): void;
}

/** The contract of Store, as vitest suites. */
export function describeStore(name: string, open: () => StoreUnderTest): void {
  describe(`${name} is a Store`, () => {
    let tested: StoreUnderTest;
    let store: Store;
    beforeEach(() => {
      tested = open();
      store = tested.store;
    });
    afterEach(() => tested.cleanup());

    const current: CurrentStore = {
      get store() {
        return store;
      },
      reopen: () => {
        store = tested.reopen();
      },
    };

    describeCommits(current);
    describeStoredChannels(current);
    describeReplay(current);
    describeStoredSessions(current);
    describeFeed(current);

    describe('closed', () => {
      it('refuses every call, and may be closed again', () => {
        store.close();
        for (const call of everyCall(store)) {
          expect(call).toThrow(StoreError);
          expect(call).toThrow(/closed/);
        }
        expect(() => store.close()).not.toThrow();
      });
    });
  });
}

function everyCall(store: Store): (() => unknown)[] {
  const { channels, sessions, documents } = store;
  return [
    () => store.header,
    () => store.commit({}),
    () => channels.read('ahp-chat:/one'),
    () => channels.exists('ahp-chat:/one'),
    () => channels.replay('ahp-chat:/one', 0),
    () => channels.trim('ahp-chat:/one', 0),
    () => sessions.list(),
    () => sessions.count(),
    () => sessions.listDisposed(),
    () => sessions.readDisposed('ahp-session:/one'),
    () => sessions.purge(1),
    () => documents.read('client', 'one'),
    () => documents.ofSession('ahp-session:/one'),
    () => documents.entriesOf('ahp-session:/one'),
    ...(store.feed ? [() => store.feed?.()] : []),
  ];
}
