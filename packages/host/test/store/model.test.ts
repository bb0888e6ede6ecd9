import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Store, type StoreBatch, StoreError, type StoreFeed } from '../../src/ports/store.js';
import type { StoreUnderTest } from '../../src/testing/store-contract.js';
import { chatChannel, logEntry, summary } from '../../src/testing/store-samples.js';
import { openMemory, openSqlite } from './harness.js';

const RUNS = Number(process.env.STORE_MODEL_RUNS ?? 30);

const sessions = ['s0', 's1', 's2'];
const channels = ['c0', 'c1', 'c2', 'c3'];
const keys = ['k0', 'k1'];

describe('store-sqlite and store-memory', () => {
  it('answer alike, whatever is done to them', { timeout: RUNS * 1000 }, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => {
        const memory = openMemory();
        const sqlite = openSqlite();
        try {
          const twins = [new Player(memory), new Player(sqlite)] as const;
          for (const next of steps) {
            const [expected, actual] = [twins[0].play(next), twins[1].play(next)];
            expect(actual).toEqual(expected);
            expect(twins[1].observe()).toEqual(twins[0].observe());
          }
        } finally {
          memory.cleanup();
          sqlite.cleanup();
        }
      }),
      { numRuns: RUNS },
    );
  });
});

const channelPut = fc.record(
  {
    uri: fc.constantFrom(...channels),
    session: fc.constantFrom(...sessions),
    kind: fc.constantFrom('chat' as const, 'session' as const),
    unsettled: fc.boolean(),
    removed: fc.constantFrom(...Array(7).fill(false), true),
    /** How far behind the newest number the snapshot is; none for a change without one. */
    snapshotAge: fc.option(fc.nat(6), { nil: undefined }),
  },
  { requiredKeys: ['uri', 'session', 'kind', 'unsettled'] },
);
/** Gaps between the numbers of one entry; a first gap of zero repeats a number, which is refused. */
const logPut = fc.record({
  channel: fc.constantFrom(...channels),
  gaps: fc.tuple(fc.constantFrom(0, 1, 1, 1, 1, 2), fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 })),
});
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      ceiling: fc.constantFrom(...Array(9).fill(undefined), 20, 60),
      channels: fc.array(channelPut, { maxLength: 3 }),
      log: fc.array(logPut, { maxLength: 4 }),
      summaries: fc.array(fc.tuple(fc.constantFrom(...sessions), fc.nat(5), fc.string()), { maxLength: 2 }),
      disposals: fc.array(fc.tuple(fc.constantFrom(...sessions), fc.option(fc.nat(5), { nil: undefined })), {
        maxLength: 1,
      }),
      documents: fc.array(
        fc.record({
          key: fc.constantFrom(...keys),
          session: fc.option(fc.constantFrom(...sessions), { nil: undefined }),
          json: fc.option(fc.json(), { nil: undefined }),
        }),
        { maxLength: 2 },
      ),
    }),
  },
  fc.record({ type: fc.constant('trim' as const), uri: fc.constantFrom(...channels), keepBytes: fc.nat(600) }),
  fc.record({ type: fc.constant('purge' as const), before: fc.nat(6) }),
  fc.record({ type: fc.constant('reopen' as const) }),
  fc.record({ type: fc.constant('feed' as const) }),
  fc.record({ type: fc.constant('acknowledge' as const), ticks: fc.nat(5) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Plays steps on one store. Both players count alike, so that both stores are told the same. */
class Player {
  readonly #tested: StoreUnderTest;
  #store: Store;
  #seq = 0;
  #feed: StoreFeed | undefined;

  constructor(tested: StoreUnderTest) {
    this.#tested = tested;
    this.#store = tested.store;
    this.#store.commit({ channels: channels.slice(1).map((uri) => chatChannel(uri, { session: 's0' })) });
  }

  play(next: Step): unknown {
    try {
      return this.#play(next);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { refused: error.message };
    }
  }

  /** All that can be asked of the store. */
  observe(): unknown {
    const { header, channels: stored, sessions: listed, documents } = this.#store;
    const seqs = Array.from({ length: 12 }, (_, index) => this.#seq - index);
    return {
      header,
      channels: channels.map((uri) => [
        stored.exists(uri),
        stored.read(uri),
        seqs.map((seq) => stored.replay(uri, seq)),
      ]),
      sessions: [listed.list(), listed.count(), listed.listDisposed(), sessions.map(listed.readDisposed)],
      documents: keys.map((key) => documents.read('client', key)),
      feed: this.#observeFeed(),
    };
  }

  /** In pieces of one tick, and as a whole; what is in one batch has no order. */
  #observeFeed(): unknown {
    const feed = this.#feed;
    if (!feed) return undefined;
    const { start, last, acknowledged } = feed;
    const pieces = Array.from({ length: last - acknowledged }, (_, index) => feed.read(acknowledged + index, 1));
    const all = [...pieces, feed.read(acknowledged, Infinity)].map(({ after, upTo, ...parts }) => [
      after,
      upTo,
      Object.entries(parts).map(([part, values]) => [part, values.map((value) => inOrder(value)).sort()]),
    ]);
    return { start, last, acknowledged, all };
  }

  #play(next: Step): unknown {
    switch (next.type) {
      case 'commit':
        return this.#store.commit(this.#toBatch(next));
      case 'trim':
        return this.#store.channels.trim(next.uri, next.keepBytes);
      case 'purge':
        return this.#store.sessions.purge(next.before);
      case 'reopen':
        this.#store = this.#tested.reopen();
        this.#feed = undefined;
        this.#seq = Math.max(this.#seq, this.#store.header.seqCeiling);
        return undefined;
      case 'feed':
        this.#feed = this.#store.feed?.({ maxKeptBytes: 2000 });
        return undefined;
      case 'acknowledge':
        return this.#feed?.acknowledge(Math.min(this.#feed.last, this.#feed.acknowledged + next.ticks));
    }
  }

  #toBatch(next: Step & { type: 'commit' }): StoreBatch {
    const log = next.log.map(({ channel, gaps: [first, rest] }) => {
      const seqs = [first, ...rest].map((gap) => {
        this.#seq += gap;
        return this.#seq;
      });
      return logEntry(channel, ...seqs);
    });
    return {
      ...(next.ceiling !== undefined && { seqCeiling: next.ceiling }),
      channels: next.channels.map(({ uri, snapshotAge, ...put }) => {
        const { snapshot: _, ...channel } = chatChannel(uri, put);
        if (snapshotAge === undefined) return channel;
        return { ...channel, snapshot: { seq: Math.max(0, this.#seq - snapshotAge), json: `"at ${this.#seq}"` } };
      }),
      log,
      summaries: next.summaries.map(([session, modifiedAt, title]) => summary(session, modifiedAt, title)),
      disposals: next.disposals.map(([session, disposedAt]) => ({ session, disposedAt })),
      documents: next.documents.map(({ key, session, json }) => {
        return { collection: 'client' as const, key, json, ...(session !== undefined && { session }) };
      }),
    };
  }
}

/** The text of a value with its members by name. */
function inOrder(value: object): string {
  return JSON.stringify(value, Object.keys(value).concat('seq', 'json').sort());
}
