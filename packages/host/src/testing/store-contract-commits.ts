import { describe, expect, it } from 'vitest';
import { type StoreBatch, StoreError } from '../ports/store.js';
import type { CurrentStore } from './store-contract.js';
import {
  changedChannel,
  chat,
  chatChannel,
  logEntry,
  seqsIn,
  session,
  sessionChannel,
  summary,
} from './store-samples.js';

/** The part of the Store contract about commits: all or nothing, visible at once, and durable. */
export function describeCommits(current: CurrentStore): void {
  describe('commit', () => {
    it('starts empty', () => {
      const { header, sessions, channels, documents } = current.store;
      expect(header).toEqual({ seqCeiling: 0, unsettled: [] });
      expect(sessions.list()).toEqual([]);
      expect(sessions.count()).toBe(0);
      expect(sessions.listDisposed()).toEqual([]);
      expect(sessions.purge(Number.MAX_SAFE_INTEGER)).toBe(0);
      expect(channels.read(chat)).toBeUndefined();
      expect(documents.read('rootConfig', '')).toBeUndefined();
    });

    it('stores every part of a batch, also across a restart', () => {
      current.store.commit(fullBatch);
      expectFullBatch(current);
      current.reopen();
      expectFullBatch(current);
    });

    it('accepts an empty batch', () => {
      current.store.commit({});
      current.store.commit({ channels: [], log: [], summaries: [], disposals: [], documents: [] });
      expect(current.store.header.seqCeiling).toBe(0);
    });

    it.each<[string, StoreBatch]>([
      ['a log entry of an unknown channel', { log: [logEntry('ahp-chat:/unknown', 50)] }],
      ['a log entry of a channel that was removed before', { log: [logEntry('ahp-chat:/removed', 50)] }],
      ['a new channel without a snapshot', { channels: [changedChannel('ahp-chat:/unknown')] }],
      ['a removed channel put again without a snapshot', { channels: [changedChannel('ahp-chat:/removed')] }],
      ['a log entry that repeats a number', { log: [logEntry(chat, 2, 4)] }],
      [
        'a log entry with a number of another channel',
        { channels: [chatChannel('other')], log: [logEntry('other', 3)] },
      ],
      ['a log entry that goes back', { log: [logEntry(chat, 50), logEntry(chat, 49)] }],
      ['a log entry that ends before it begins', { log: [logEntry(chat, 50, 49)] }],
    ])('changes nothing when it fails: %s', (_, wrong) => {
      const removed = { ...chatChannel('ahp-chat:/removed'), removed: true };
      current.store.commit({ ...fullBatch, channels: [...(fullBatch.channels ?? []), removed] });
      const batch: StoreBatch = {
        seqCeiling: 5000,
        channels: [chatChannel('ahp-chat:/new', { unsettled: true }), ...(wrong.channels ?? [])],
        log: [logEntry('ahp-chat:/new', 40), ...(wrong.log ?? [])],
        summaries: [summary(session, 999, 'changed'), summary('ahp-session:/new', 1)],
        disposals: [{ session, disposedAt: 7 }],
        documents: [
          { collection: 'client', key: 'one', json: '"changed"' },
          { collection: 'agentChat', key: 'one', json: undefined },
        ],
      };
      expect(() => current.store.commit(batch)).toThrow(StoreError);
      expectFullBatch(current);
      expect(current.store.channels.exists('ahp-chat:/new')).toBe(false);
      expect(current.store.channels.exists('ahp-chat:/unknown')).toBe(false);
      current.reopen();
      expectFullBatch(current);
    });

    it('takes entries of several channels whose numbers take turns, each of one channel in order', () => {
      const other = 'ahp-chat:/other';
      const channels = [sessionChannel(), chatChannel(), chatChannel(other)];
      current.store.commit({
        channels,
        log: [logEntry(chat, 1, 4), logEntry(other, 2, 3), logEntry(chat, 6), logEntry(other, 5)],
      });
      expect([chat, other].map((uri) => seqsIn(current.store.channels.replay(uri, 0)))).toEqual([
        [1, 4, 6],
        [2, 3, 5],
      ]);
      expect(() => current.store.commit({ log: [logEntry(other, 6)] })).toThrow(StoreError);
    });

    it('works again after a failure', () => {
      expect(() => current.store.commit({ log: [logEntry(chat, 1)] })).toThrow(StoreError);
      current.store.commit(fullBatch);
      expectFullBatch(current);
    });
  });

  describe('seqCeiling', () => {
    it('never falls', () => {
      const ceilings = [5, 3, 0, 12, 11, 2 ** 53 - 1, 7].map((seqCeiling) => {
        current.store.commit({ seqCeiling });
        return current.store.header.seqCeiling;
      });
      expect(ceilings).toEqual([5, 5, 5, 12, 12, 2 ** 53 - 1, 2 ** 53 - 1]);
      current.reopen();
      expect(current.store.header.seqCeiling).toBe(2 ** 53 - 1);
    });

    it('keeps numbers from being used again after a restart', () => {
      current.store.commit({ seqCeiling: 9, channels: [sessionChannel(), chatChannel()], log: [logEntry(chat, 3)] });
      current.store.commit({ log: [logEntry(chat, 4)] });
      current.reopen();
      expect(() => current.store.commit({ log: [logEntry(chat, 9)] })).toThrow(StoreError);
      current.store.commit({ log: [logEntry(chat, 10)] });
      expect(seqsIn(current.store.channels.replay(chat, 0))).toEqual([3, 4, 10]);
    });

    it('is never below the log, whatever was put', () => {
      current.store.commit({ seqCeiling: 4, channels: [sessionChannel(), chatChannel()], log: [logEntry(chat, 3, 9)] });
      expect(current.store.header.seqCeiling).toBe(9);
      current.reopen();
      expect(current.store.header.seqCeiling).toBe(9);
    });
  });
}

const fullBatch: StoreBatch = {
  seqCeiling: 1000,
  channels: [sessionChannel(), chatChannel(chat, { unsettled: true })],
  log: [logEntry(session, 1), logEntry(chat, 2, 3)],
  summaries: [summary(session, 100)],
  disposals: [{ session: 'ahp-session:/unknown', disposedAt: 1 }],
  documents: [
    { collection: 'client', key: 'one', json: '{"name":"one"}' },
    { collection: 'agentChat', key: 'one', session, json: '{"resume":1}' },
  ],
};

function expectFullBatch({ store }: CurrentStore): void {
  expect(store.header).toEqual({ seqCeiling: 1000, unsettled: [chat] });
  expect(store.channels.read(session)).toMatchObject({ kind: 'session', session, snapshot: { seq: 0, json: '{}' } });
  expect(seqsIn(store.channels.read(session)?.tail)).toEqual([1]);
  expect(store.channels.read(chat)).toMatchObject({ kind: 'chat', session });
  expect(seqsIn(store.channels.replay(chat, 0))).toEqual([2, 3]);
  expect(store.sessions.list()).toEqual([summary(session, 100).json]);
  expect(store.sessions.listDisposed()).toEqual([]);
  expect(store.documents.read('client', 'one')).toBe('{"name":"one"}');
  expect(store.documents.read('agentChat', 'one')).toBe('{"resume":1}');
}
