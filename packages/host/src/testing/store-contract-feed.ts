import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedBatch, FeedOptions, StoreFeed } from '../ports/store.js';
import type { CurrentStore } from './store-contract.js';
import { chat, chatChannel, logEntry, session, sessionChannel, summary } from './store-samples.js';

/** The part of the Store contract about the feed. */
export function describeFeed(current: CurrentStore): void {
  const created = { channels: [sessionChannel(), chatChannel()] };
  const append = (...seqs: readonly number[]) => current.store.commit({ log: [logEntry(chat, ...seqs)] });
  const all = (feed: StoreFeed, after = feed.acknowledged) => feed.read(after, Infinity);
  const snapshotAt = (seq: number) =>
    current.store.commit({ channels: [chatChannel(chat, { snapshot: { seq, json: `{"at":${seq}}` } })] });

  const openFeed = (options?: FeedOptions): StoreFeed => {
    const feed = current.store.feed?.(options);
    if (!feed) throw new Error('the store had a feed before it was reopened');
    return feed;
  };

  describe('feed', () => {
    beforeEach(({ skip }) => skip(!current.store.feed, 'the store has no feed, which only members of a fleet need'));

    it('has each commit as one tick, with the texts as they were stored', () => {
      const feed = openFeed();
      expect([feed.start, feed.last]).toEqual([0, 0]);
      current.store.commit(created);
      append(1, 2);
      append(3);
      expect(feed.last).toBe(3);
      expect(all(feed)).toEqual({
        after: 0,
        upTo: 3,
        channels: expect.arrayContaining([shipped(sessionChannel()), shipped(chatChannel())]),
        log: [logEntry(chat, 1, 2), logEntry(chat, 3)],
        sessions: [],
        documents: [],
      });
      expect(all(feed, 2)).toMatchObject({ after: 2, upTo: 3, channels: [], log: [logEntry(chat, 3)] });
      expect(all(feed, 3)).toMatchObject({ after: 3, upTo: 3, channels: [], log: [] });
    });

    it('gives whole ticks, at least one, until there are enough bytes', () => {
      const feed = openFeed();
      const other = 'ahp-chat:/other';
      current.store.commit({ channels: [sessionChannel(), chatChannel(), chatChannel(other)] });
      current.store.commit({ log: [logEntry(chat, 1, 3), logEntry(other, 2, 4)], summaries: [summary(session, 1)] });
      append(5);
      const pieces: FeedBatch[] = [];
      for (let after = 0; after < feed.last; after = pieces.at(-1)?.upTo ?? after) pieces.push(feed.read(after, 1));
      expect(pieces.map(({ upTo }) => upTo)).toEqual([1, 2, 3]);
      expect(pieces[1]?.log).toEqual([logEntry(chat, 1, 3), logEntry(other, 2, 4)]);
      expect(pieces[1]?.sessions).toHaveLength(1);
    });

    it('has other things by their newest value', () => {
      const feed = openFeed();
      current.store.commit(created);
      current.store.commit({ summaries: [summary(session, 1)] });
      current.store.commit({
        summaries: [summary(session, 2)],
        disposals: [{ session, disposedAt: 7 }],
        documents: [
          { collection: 'content', key: 'a b', session, json: '1' },
          { collection: 'rootConfig', key: '', json: '{}' },
        ],
      });
      current.store.commit({ documents: [{ collection: 'content', key: 'gone', json: undefined }] });
      expect(all(feed)).toMatchObject({
        sessions: [{ session, modifiedAt: 2, summary: summary(session, 2).json, disposedAt: 7 }],
        documents: [
          { collection: 'content', key: 'a b', session, json: '1' },
          { collection: 'content', key: 'gone', json: undefined },
        ],
      });
    });

    it('names a channel before its log, even if it changes again later', () => {
      const feed = openFeed();
      current.store.commit(created);
      append(1);
      snapshotAt(1);
      const first = feed.read(1, 1);
      expect(first).toMatchObject({
        upTo: 2,
        log: [logEntry(chat, 1)],
        channels: [{ uri: chat, snapshot: { seq: 1 } }],
      });
    });

    it('reports what is removed', () => {
      const feed = openFeed();
      current.store.commit(created);
      append(1);
      current.store.commit({ channels: [{ ...chatChannel(), removed: true }] });
      expect(all(feed)).toMatchObject({ log: [], channels: [{ uri: session }, { uri: chat, snapshot: undefined }] });
    });

    it('counts no tick for a commit that changes nothing of it, or that fails', () => {
      const feed = openFeed();
      current.store.commit(created);
      current.store.commit({ seqCeiling: 500 });
      current.store.commit({});
      expect(() => current.store.commit({ log: [logEntry('ahp-chat:/unknown', 900)] })).toThrow();
      expect([feed.last, all(feed).upTo]).toEqual([1, 1]);
      append(901);
      expect(all(feed, 1)).toMatchObject({ upTo: 2, log: [logEntry(chat, 901)] });
    });

    it('goes on after a restart', () => {
      const { id } = openFeed();
      current.store.commit(created);
      append(1);
      current.reopen();
      const feed = openFeed();
      expect([feed.id, feed.last]).toEqual([id, 2]);
      append(1001);
      expect(all(feed)).toMatchObject({ upTo: 3, log: [logEntry(chat, 1), logEntry(chat, 1001)] });
      feed.acknowledge(3);
      current.reopen();
      const again = openFeed();
      expect([again.id, again.last, again.acknowledged]).toEqual([id, 3, 3]);
      expect(() => again.read(2, 1)).toThrow('start it over');
    });

    it('uses no tick twice, even if its rows were purged or removed', () => {
      openFeed();
      current.store.commit({ ...created, summaries: [summary(session, 1)], disposals: [{ session, disposedAt: 1 }] });
      append(1);
      current.store.sessions.purge(2);
      current.reopen();
      const feed = openFeed();
      expect(feed.last).toBe(2);
      current.store.commit({ channels: [sessionChannel('ahp-session:/two')] });
      expect(all(feed, 2)).toMatchObject({ upTo: 3, channels: [{ uri: 'ahp-session:/two' }] });
    });

    it('begins with all that is stored', () => {
      current.store.commit({ ...created, summaries: [summary(session, 1)] });
      append(1);
      snapshotAt(1);
      append(2);
      const feed = openFeed();
      const { channels, log, sessions } = all(feed);
      expect(channels).toMatchObject([
        { uri: session, isWhole: true },
        { uri: chat, isWhole: true, snapshot: { seq: 1 }, replayableAfter: 0 },
      ]);
      expect([log, sessions.length]).toEqual([[logEntry(chat, 1), logEntry(chat, 2)], 1]);
      append(3);
      expect(all(feed, feed.last - 1)).toMatchObject({ channels: [], log: [logEntry(chat, 3)] });
    });

    it('starts over when something was committed without it, and when it is asked to', () => {
      const { id } = openFeed();
      current.store.commit(created);
      append(1);
      current.reopen();
      append(1001);
      current.reopen();
      const feed = openFeed();
      expect([feed.id === id, feed.start]).toEqual([false, 2]);
      append(2001);
      expect(all(feed).log).toEqual([1, 1001, 2001].map((seq) => logEntry(chat, seq)));
      feed.acknowledge(feed.last);
      const before = { id: feed.id, last: feed.last };
      feed.restart();
      expect([feed.id === before.id, feed.start]).toEqual([false, before.last]);
      expect(all(feed).log).toEqual([1, 1001, 2001].map((seq) => logEntry(chat, seq)));
    });

    it('keeps what is not acknowledged from being trimmed, up to a bound', () => {
      const feed = openFeed({ maxKeptBytes: 1000 });
      current.store.commit(created);
      append(1);
      append(2);
      snapshotAt(2);
      feed.acknowledge(2);
      current.store.channels.trim(chat, 0);
      expect(all(feed).log).toEqual([logEntry(chat, 2)]);
      expect(current.store.channels.replay(chat, 0)).toBeUndefined();
      const { id } = feed;
      for (let seq = 3; seq < 30; seq++) append(seq);
      snapshotAt(29);
      current.store.channels.trim(chat, 0);
      expect(feed.id).not.toBe(id);
      expect(all(feed)).toMatchObject({ log: [], channels: [{}, { isWhole: true, snapshot: { seq: 29 } }] });
      expect(all(feed).channels[1]?.replayableAfter).toBe(29);
    });
  });
}

function shipped({ uri, kind, session: of, snapshot }: ReturnType<typeof chatChannel>) {
  return { uri, kind, session: of, snapshot, replayableAfter: 0, isWhole: false };
}
