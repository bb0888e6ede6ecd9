import { beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../ports/store.js';
import type { CurrentStore } from './store-contract.js';
import {
  changedChannel,
  chat,
  chatChannel,
  envelope,
  logEntry,
  seqsIn,
  session,
  sessionChannel,
  summary,
} from './store-samples.js';

/** The part of the Store contract about loading, changing and removing channels. */
export function describeStoredChannels(current: CurrentStore): void {
  describe('channels', () => {
    beforeEach(() => current.store.commit({ channels: [sessionChannel(), chatChannel()] }));

    const readSeqs = () => seqsIn(current.store.channels.read(chat)?.tail);

    it('are read as the newest snapshot and the log after it', () => {
      expect(current.store.channels.read(chat)?.tail).toBe('');
      current.store.commit({ log: [logEntry(chat, 1, 2), logEntry(chat, 5)] });
      expect(readSeqs()).toEqual([1, 2, 5]);
      current.store.commit({ channels: [chatChannel(chat, { snapshot: { seq: 5, json: '{"turns":[1]}' } })] });
      expect(current.store.channels.read(chat)).toEqual({
        kind: 'chat',
        session,
        snapshot: { seq: 5, json: '{"turns":[1]}' },
        tail: '',
      });
      current.store.commit({ log: [logEntry(chat, 8, 9)] });
      expect(readSeqs()).toEqual([8, 9]);
    });

    it('are read in pieces, of any length and script', () => {
      for (const text of ['', 'x', '"ä€😀\ufeff'.repeat(400_000)]) {
        const json = JSON.stringify({ turns: [text] });
        current.store.commit({ channels: [chatChannel(chat, { snapshot: { seq: 3, json } })] });
        const { snapshot, ...others } = current.store.channels.readInPieces(chat) ?? {};
        expect(others).toEqual({ kind: 'chat', session, tail: '' });
        expect(snapshot).toMatchObject({ seq: 3, bytes: Buffer.byteLength(json) });
        expect([...(snapshot?.pieces ?? [])].join('') === json).toBe(true);
      }
      current.store.commit({ log: [logEntry(chat, 8, 9)] });
      expect(seqsIn(current.store.channels.readInPieces(chat)?.tail)).toEqual([8, 9]);
      expect(current.store.channels.readInPieces('ahp-chat:/unknown')).toBeUndefined();
    });

    it('are not read to the end once their snapshot was replaced', () => {
      const { pieces } = current.store.channels.readInPieces(chat)?.snapshot ?? {};
      current.store.commit({ channels: [chatChannel(chat, { snapshot: { seq: 5, json: '{"turns":[1]}' } })] });
      expect(() => [...(pieces ?? [])]).toThrow(StoreError);
    });

    it('are read from a snapshot in the middle of a log entry', () => {
      const snapshot = { seq: 4, json: '{}' };
      current.store.commit({ log: [logEntry(chat, 1, 3, 4, 6)], channels: [chatChannel(chat, { snapshot })] });
      expect(current.store.channels.read(chat)?.tail).toBe(envelope(chat, 6));
    });

    it('keep their snapshot when a put has none', () => {
      current.store.commit({ channels: [changedChannel(chat, { unsettled: true })] });
      expect(current.store.channels.read(chat)?.snapshot).toEqual({ seq: 0, json: '{"turns":[]}' });
    });

    it('are not confused with one another', () => {
      const other = 'ahp-chat:/other';
      current.store.commit({ channels: [chatChannel(other)], log: [logEntry(chat, 1), logEntry(other, 2)] });
      current.store.commit({ log: [logEntry(other, 3), logEntry(chat, 4)] });
      expect(current.store.channels.replay(chat, 0)).toBe([1, 4].map((seq) => envelope(chat, seq)).join(','));
      expect(current.store.channels.replay(other, 0)).toBe([2, 3].map((seq) => envelope(other, seq)).join(','));
    });

    it('refuse a snapshot from before what is left of the log', () => {
      current.store.commit({
        channels: [chatChannel(chat, { snapshot: { seq: 4, json: '{}' } })],
        log: [logEntry(chat, 3), logEntry(chat, 4), logEntry(chat, 5)],
      });
      current.store.channels.trim(chat, 0);
      const old = chatChannel(chat, { snapshot: { seq: 3, json: '"old"' } });
      expect(() => current.store.commit({ channels: [old] })).toThrow(StoreError);
      expect(readSeqs()).toEqual([5]);
    });

    it('hold any text, of any length', () => {
      const text = `"${'ä€😀\\u0000\\n\u2028 '.repeat(1000)}${'x'.repeat(8_000_000)}"`;
      const one = envelope(chat, 1, 'ä€😀\0\n\ud800\u2028');
      const huge = envelope(chat, 2, 'é'.repeat(3_000_000));
      const uri = "ahp-chat:/it's %00 ünïcode; DROP TABLE log --";
      current.store.commit({
        channels: [chatChannel(uri, { snapshot: { seq: 0, json: text } })],
        log: [{ channel: uri, firstSeq: 1, lastSeq: 2, envelopes: `${one},${huge}` }],
      });
      current.reopen();
      expect(current.store.channels.read(uri)?.snapshot.json === text).toBe(true);
      expect(current.store.channels.replay(uri, 0) === `${one},${huge}`).toBe(true);
      expect(current.store.channels.replay(uri, 1) === huge).toBe(true);
      expect(current.store.channels.replay(uri.toUpperCase(), 0)).toBeUndefined();
    });

    describe('removed', () => {
      it('are gone with their log, but their URI counts as used', () => {
        current.store.commit({ log: [logEntry(chat, 1)], channels: [changedChannel(chat, { unsettled: true })] });
        current.store.commit({ channels: [changedChannel(chat, { unsettled: true, removed: true })] });
        for (const _ of ['before a restart', 'after it']) {
          expect(current.store.channels.read(chat)).toBeUndefined();
          expect(current.store.channels.replay(chat, 1)).toBeUndefined();
          expect(current.store.channels.exists(chat)).toBe(true);
          expect(current.store.header.unsettled).toEqual([]);
          current.reopen();
        }
      });

      it('may have a last log entry in the same batch', () => {
        const brief = 'ahp-chat:/brief';
        const channels = [changedChannel(chat, { removed: true }), chatChannel(brief, { removed: true })];
        current.store.commit({ channels, log: [logEntry(chat, 1), logEntry(brief, 2)] });
        expect(current.store.channels.read(chat)).toBeUndefined();
        expect(current.store.channels.read(brief)).toBeUndefined();
        expect(current.store.channels.exists(brief)).toBe(true);
      });

      it('may be put again as new ones, and nothing of the old ones is replayed', () => {
        current.store.commit({ log: [logEntry(chat, 1, 2)] });
        current.store.commit({ channels: [changedChannel(chat, { removed: true })] });
        current.store.commit({ channels: [chatChannel(chat, { snapshot: { seq: 5, json: '"new"' } })] });
        current.store.commit({ log: [logEntry(chat, 6)] });
        expect(current.store.channels.read(chat)).toMatchObject({ snapshot: { seq: 5, json: '"new"' } });
        expect(readSeqs()).toEqual([6]);
        expect(current.store.channels.replay(chat, 4)).toBeUndefined();
        expect(seqsIn(current.store.channels.replay(chat, 5))).toEqual([6]);
      });
    });

    it('exist once they were put', () => {
      expect(current.store.channels.exists(chat)).toBe(true);
      expect(current.store.channels.exists('ahp-chat:/unknown')).toBe(false);
    });

    it('are listed as unsettled until they are put as settled, disposed or removed', () => {
      const others = ['ahp-chat:/b', 'ahp-chat:/a'];
      current.store.commit({
        channels: [
          changedChannel(chat, { unsettled: true }),
          ...others.map((uri) => chatChannel(uri, { unsettled: true })),
        ],
        summaries: [summary(session, 1)],
      });
      current.reopen();
      expect(current.store.header.unsettled).toEqual([chat, ...others]);
      current.store.commit({ channels: [changedChannel('ahp-chat:/b')] });
      expect(current.store.header.unsettled).toEqual([chat, 'ahp-chat:/a']);
      current.store.commit({ disposals: [{ session, disposedAt: 1 }] });
      expect(current.store.header.unsettled).toEqual([]);
      current.store.commit({ disposals: [{ session, disposedAt: undefined }] });
      current.reopen();
      expect(current.store.header.unsettled).toEqual([chat, 'ahp-chat:/a']);
    });
  });
}
