import { describe, expect, it } from 'vitest';
import { StoreError } from '../ports/store.js';
import type { CurrentStore } from './store-contract.js';
import { chat, chatChannel, logEntry, session, sessionChannel, summary } from './store-samples.js';

/** The part of the Store contract about listing, disposing, restoring and purging sessions, and about documents. */
export function describeStoredSessions(current: CurrentStore): void {
  const titles = () => current.store.sessions.list().map((json): string => JSON.parse(json).title);
  const disposed = () =>
    current.store.sessions.listDisposed().map(({ disposedAt, summary: { title } }) => [title, disposedAt]);
  const dispose = (uri: string, disposedAt: number | undefined) =>
    current.store.commit({ disposals: [{ session: uri, disposedAt }] });
  const putSessions = (...sessions: readonly (readonly [string, number])[]) =>
    current.store.commit({
      channels: sessions.map(([uri]) => sessionChannel(uri)),
      summaries: sessions.map(([uri, modifiedAt]) => summary(uri, modifiedAt, uri)),
    });

  describe('sessions', () => {
    it('are listed newest first, each with its latest summary', () => {
      putSessions(['a', 10], ['b', 30], ['c', 20]);
      expect(titles()).toEqual(['b', 'c', 'a']);
      current.store.commit({ summaries: [summary('a', 40, 'a again')] });
      current.reopen();
      expect(titles()).toEqual(['a again', 'b', 'c']);
      expect(current.store.sessions.count()).toBe(3);
    });

    it('of the same time are listed in reverse order of creation', () => {
      putSessions(['a', 10], ['b', 10], ['c', 10.5], ['d', 10]);
      expect(titles()).toEqual(['c', 'd', 'b', 'a']);
    });

    it('return their summaries as they were stored', () => {
      const json = '{ "title":\t"ä€😀\\u001e\\n", "modifiedAt": 1.0,\n "resource": "x" }';
      current.store.commit({ summaries: [{ session, modifiedAt: 1, json }] });
      expect(current.store.sessions.list()).toEqual([json]);
    });

    it('without a summary are not listed', () => {
      current.store.commit({ channels: [sessionChannel()] });
      expect(current.store.sessions.list()).toEqual([]);
      expect(current.store.sessions.count()).toBe(0);
    });

    it('that are disposed are listed separately and cannot be read until they are restored', () => {
      putSessions(['a', 10], ['b', 30], ['c', 20]);
      current.store.commit({ channels: [chatChannel(chat, { session: 'a' })], log: [logEntry(chat, 1)] });
      dispose('b', 100);
      dispose('a', 200);
      current.reopen();
      expect(titles()).toEqual(['c']);
      expect(current.store.sessions.count()).toBe(1);
      expect(disposed()).toEqual([
        ['a', 200],
        ['b', 100],
      ]);
      expect(current.store.channels.read(chat)).toBeUndefined();
      expect(current.store.channels.replay(chat, 0)).toBeUndefined();
      expect(current.store.channels.exists(chat)).toBe(true);

      dispose('a', undefined);
      expect(titles()).toEqual(['c', 'a']);
      expect(disposed()).toEqual([['b', 100]]);
      expect(current.store.channels.read(chat)?.session).toBe('a');
    });

    it('that are disposed return their channels as they will be read once restored', () => {
      const annotations = chatChannel('a first', { session: 'a', kind: 'annotations' });
      putSessions(['a', 10], ['b', 20]);
      current.store.commit({ channels: [annotations], log: [logEntry('a', 1), logEntry('a first', 2)] });
      current.store.commit({
        channels: [chatChannel('a second', { session: 'a' }), chatChannel('removed', { session: 'a' })],
        log: [logEntry('a second', 3, 4)],
      });
      current.store.commit({ channels: [chatChannel('removed', { session: 'a', removed: true })] });
      const uris = ['a', 'a first', 'a second'];
      const living = uris.map((uri) => ({ uri, ...current.store.channels.read(uri) }));
      expect(current.store.sessions.readDisposed('a')).toEqual([]);
      dispose('a', 100);
      current.reopen();
      expect(current.store.sessions.readDisposed('a')).toEqual(living);
      expect(['b', 'unknown', 'a second'].map((uri) => current.store.sessions.readDisposed(uri))).toEqual([[], [], []]);

      dispose('a', undefined);
      expect(current.store.sessions.readDisposed('a')).toEqual([]);
      expect(uris.map((uri) => ({ uri, ...current.store.channels.read(uri) }))).toEqual(living);
    });

    it('that are restored take log entries in the same commit, or none of it happens', () => {
      putSessions(['a', 10]);
      current.store.commit({ log: [logEntry('a', 1)] });
      dispose('a', 100);
      const restored = [{ session: 'a', disposedAt: undefined }];
      expect(() => current.store.commit({ log: [logEntry('a', 1)], disposals: restored })).toThrow(StoreError);
      current.reopen();
      expect(disposed()).toEqual([['a', 100]]);
      current.store.commit({ log: [logEntry('a', 2)], disposals: restored });
      current.reopen();
      expect(titles()).toEqual(['a']);
      expect(current.store.channels.replay('a', 1)).toBe(logEntry('a', 2).envelopes);
    });

    it('that are disposed stay disposed when their summary changes', () => {
      putSessions(['a', 10]);
      dispose('a', 100);
      current.store.commit({ summaries: [summary('a', 20, 'changed')] });
      expect(titles()).toEqual([]);
      expect(disposed()).toEqual([['changed', 100]]);
    });

    it('are purged with all their data if they were disposed before the given time', () => {
      putSessions(['a', 10], ['b', 20], ['c', 30]);
      current.store.commit({
        channels: [chatChannel('chat of a', { session: 'a' }), chatChannel('chat of b', { session: 'b' })],
        log: [logEntry('a', 1), logEntry('chat of a', 2), logEntry('chat of b', 3)],
        documents: [
          { collection: 'agentChat', key: 'a', session: 'a', json: '1' },
          { collection: 'agentChat', key: 'b', session: 'b', json: '2' },
          { collection: 'client', key: 'a', json: '3' },
        ],
      });
      dispose('a', 100);
      dispose('b', 200);
      expect(current.store.sessions.purge(100)).toBe(0);
      expect(current.store.sessions.purge(200)).toBe(1);
      expect(disposed()).toEqual([['b', 200]]);
      expect(['a', 'chat of a', 'chat of b', 'c'].map((uri) => current.store.channels.exists(uri))).toEqual([
        false,
        false,
        true,
        true,
      ]);
      expect(current.store.documents.read('agentChat', 'a')).toBeUndefined();
      expect(current.store.documents.read('agentChat', 'b')).toBe('2');
      expect(['a', 'b', 'c', 'unknown'].map((uri) => current.store.documents.ofSession(uri))).toEqual([
        [],
        ['2'],
        [],
        [],
      ]);
      expect(current.store.documents.entriesOf('b')).toMatchObject([{ collection: expect.any(String), json: '2' }]);
      expect(current.store.documents.read('client', 'a')).toBe('3');

      dispose('a', undefined);
      putSessions(['a', 40]);
      current.reopen();
      expect(titles()).toEqual(['a', 'c']);
      expect(current.store.channels.read('a')?.tail).toBe('');
      expect(current.store.header.seqCeiling).toBe(3);
    });

    it('can be ten thousand', () => {
      const all = Array.from({ length: 10_000 }, (_, index) => [`s${index}`, (index * 7919) % 10_007] as const);
      putSessions(...all);
      current.reopen();
      const expected = all.toSorted((one, other) => other[1] - one[1]).map(([uri]) => uri);
      expect(titles()).toEqual(expected);
      current.store.commit({ disposals: all.slice(100).map(([uri]) => ({ session: uri, disposedAt: 1 })) });
      expect(current.store.sessions.count()).toBe(100);
      expect(current.store.sessions.purge(2)).toBe(9900);
      expect(current.store.sessions.listDisposed()).toEqual([]);
      expect(current.store.sessions.count()).toBe(100);
    });
  });

  describe('documents', () => {
    it('are replaced and deleted by collection and key', () => {
      const put = (key: string, json: string | undefined) =>
        current.store.commit({ documents: [{ collection: 'client', key, json }] });
      put('', '1');
      put('one', '2');
      put('one', '{"text":"ä€😀"}');
      current.store.commit({ documents: [{ collection: 'content', key: 'one', json: '4' }] });
      put('unknown', undefined);
      current.reopen();
      const { documents } = current.store;
      expect([documents.read('client', ''), documents.read('client', 'one')]).toEqual(['1', '{"text":"ä€😀"}']);
      expect([documents.read('content', 'one'), documents.read('client', 'unknown')]).toEqual(['4', undefined]);
      put('one', undefined);
      expect([documents.read('client', 'one'), documents.read('content', 'one')]).toEqual([undefined, '4']);
    });
  });
}
