import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DamagedStore } from '../ports/damaged-store.js';
import type { Store } from '../ports/store.js';
import { changedChannel, chat, chatChannel, logEntry, session, sessionChannel, summary } from './store-samples.js';

/** An empty store, and access to the bytes it leaves behind. */
export interface DamageableStore {
  /** A fresh, empty store. */
  readonly store: Store;
  /** Opens the stored bytes as a DamagedStore; also while the store is open. */
  open(): DamagedStore;
  /** All stored bytes. */
  bytes(): Uint8Array;
  /** Closes the store and replaces its bytes. */
  replace(bytes: Uint8Array): void;
  /** Called after each test. */
  cleanup(): void;
}

/** The contract of DamagedStore, as a vitest suite. */
export function describeDamagedStore(name: string, make: () => DamageableStore): void {
  describe(`${name} is a DamagedStore`, () => {
    let place: DamageableStore;
    beforeEach(() => {
      place = make();
      fill(place.store);
    });
    afterEach(() => place.cleanup());

    it('reads everything in an intact store, and nothing that was removed', () => {
      place.store.close();
      expectEverything(place.open());
    });

    it('reads a store that was not closed', () => {
      expectEverything(place.open());
      place.store.close();
    });

    it('writes nothing to what it reads', () => {
      place.store.close();
      const before = Buffer.from(place.bytes());
      expectEverything(place.open());
      expect(before.equals(place.bytes())).toBe(true);
    });

    it('never throws, whatever the bytes are', () => {
      place.store.close();
      const whole = Buffer.from(place.bytes());
      const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 64, size: 'max' }), fc.nat(), (changes, cut) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          place.replace(cut % 3 === 0 ? bytes.subarray(0, cut % whole.length) : bytes);
          const damaged = place.open();
          for (const channel of damaged.channels) [damaged.snapshot(channel), damaged.log(channel)];
          for (const { json } of damaged.documents()) expect(json).toBeTypeOf('string');
          damaged.close();
        }),
        { numRuns: 50 },
      );
    });
  });
}

const LAST_SEQ = 40;
const OTHER = 'ahp-session:/two';
const GONE = 'ahp-chat:/gone';

function fill(store: Store): void {
  store.commit({
    seqCeiling: LAST_SEQ,
    channels: [sessionChannel(), sessionChannel(OTHER), chatChannel(), chatChannel(GONE)],
    summaries: [summary(session, 1), summary(OTHER, 2)],
    documents: [
      { collection: 'client', key: 'one', json: '{"large":"document"}' },
      { collection: 'agentChat', key: chat, session, json: '2' },
      { collection: 'client', key: 'gone', json: '3' },
    ],
  });
  store.commit({ log: [logEntry(chat, 1, 2), logEntry(GONE, 3)] });
  store.commit({ channels: [chatChannel(chat, { snapshot: { seq: 4, json: '{"turns":[4]}' } })], log: [] });
  store.commit({ log: [logEntry(chat, 5), logEntry(session, 6)] });
  store.commit({
    channels: [changedChannel(GONE, { removed: true })],
    disposals: [{ session: OTHER, disposedAt: 77 }],
    documents: [{ collection: 'client', key: 'gone', json: undefined }],
  });
}

function expectEverything(damaged: DamagedStore): void {
  const sessions = damaged.sessions.map(({ uri, summary: text, disposedAt }) => ({ uri, text, disposedAt }));
  expect(sessions.toSorted(byUri)).toEqual([
    { uri: session, text: summary(session, 1).json, disposedAt: undefined },
    { uri: OTHER, text: summary(OTHER, 2).json, disposedAt: 77 },
  ]);
  const sessionOf = new Map(damaged.sessions.map(({ id, uri }) => [id, uri]));
  const channels = damaged.channels.map((channel) => ({
    uri: channel.uri,
    kind: channel.kind,
    session: sessionOf.get(channel.session),
    snapshot: damaged.snapshot(channel)?.json,
    log: damaged.log(channel).entries.map(({ lastSeq, envelopes }) => `${lastSeq} ${envelopes}`),
    hasGaps: damaged.log(channel).hasGaps,
  }));
  const logged = (uri: string, ...seqs: number[]) => `${seqs.at(-1)} ${logEntry(uri, ...seqs).envelopes}`;
  const own = { kind: 'session', snapshot: '{}', hasGaps: false };
  expect(channels.toSorted(byUri)).toEqual([
    {
      ...{ uri: chat, kind: 'chat', session, snapshot: '{"turns":[4]}', hasGaps: false },
      log: [logged(chat, 1, 2), logged(chat, 5)],
    },
    { ...own, uri: session, session, log: [logged(session, 6)] },
    { ...own, uri: OTHER, session: OTHER, log: [] },
  ]);
  const documents = [...damaged.documents()].map(({ key, session: of, json }) => [key, of && sessionOf.get(of), json]);
  expect(documents.toSorted()).toEqual([
    [chat, session, '2'],
    ['one', undefined, '{"large":"document"}'],
  ]);
  expect(damaged).toMatchObject({ unreadable: [], unreadableDocuments: 0, missingBytes: 0 });
  expect(damaged.seqCeiling).toBeGreaterThanOrEqual(LAST_SEQ);
  damaged.close();
}

function byUri(one: { readonly uri: string }, other: { readonly uri: string }): number {
  return one.uri < other.uri ? -1 : 1;
}
