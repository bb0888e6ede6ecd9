import { beforeEach, describe, expect, it } from 'vitest';
import type { CurrentStore } from './store-contract.js';
import { chat, chatChannel, envelope, logEntry, seqsIn, sessionChannel } from './store-samples.js';

/** The part of the Store contract about replaying and trimming the log. */
export function describeReplay(current: CurrentStore): void {
  const replay = (afterSeq: number) => seqsIn(current.store.channels.replay(chat, afterSeq));
  const snapshotAt = (seq: number) =>
    current.store.commit({ channels: [chatChannel(chat, { snapshot: { seq, json: '{}' } })] });
  const appendRows = (...rows: readonly (readonly number[])[]) => {
    for (const seqs of rows) current.store.commit({ log: [logEntry(chat, ...seqs)] });
  };

  describe('replay', () => {
    beforeEach(() => current.store.commit({ channels: [sessionChannel(), chatChannel()] }));

    it('returns what came after any number, also one inside a log entry or between two', () => {
      appendRows([2, 3, 7], [8], [11, 12]);
      const all = [2, 3, 7, 8, 11, 12];
      for (const _ of ['before a restart', 'after it']) {
        for (let after = 0; after <= 14; after++) expect(replay(after)).toEqual(all.filter((seq) => seq > after));
        current.reopen();
      }
    });

    it('returns exactly the texts that were stored', () => {
      appendRows([1, 2, 3], [4]);
      const texts = [2, 3, 4].map((seq) => envelope(chat, seq));
      expect(current.store.channels.replay(chat, 1)).toBe(texts.join(','));
      expect(current.store.channels.replay(chat, 4)).toBe('');
    });

    it('returns undefined for unknown channels', () => {
      expect(current.store.channels.replay('ahp-chat:/unknown', 0)).toBeUndefined();
    });

    it('does not reach back before the snapshot that a channel began with', () => {
      const late = 'ahp-chat:/late';
      current.store.commit({ channels: [chatChannel(late, { snapshot: { seq: 10, json: '{}' } })] });
      current.store.commit({ log: [logEntry(late, 12)] });
      expect(current.store.channels.replay(late, 9)).toBeUndefined();
      expect(seqsIn(current.store.channels.replay(late, 10))).toEqual([12]);
    });

    it('is not shortened by a new snapshot', () => {
      appendRows([1], [2]);
      snapshotAt(2);
      appendRows([3]);
      expect(replay(0)).toEqual([1, 2, 3]);
    });
  });

  describe('trim', () => {
    const bytesOf = (...seqs: readonly number[]) => Buffer.byteLength(logEntry(chat, ...seqs).envelopes);
    beforeEach(() => current.store.commit({ channels: [sessionChannel(), chatChannel()] }));

    it('keeps the newest entries that fit, and reports the others as gone', () => {
      appendRows([1], [2, 3], [4], [5, 6]);
      snapshotAt(6);
      current.store.channels.trim(chat, bytesOf(4) + bytesOf(5, 6));
      for (const _ of ['before a restart', 'after it']) {
        expect([0, 1, 2, 3, 4, 6].map(replay)).toEqual([undefined, undefined, undefined, [4, 5, 6], [5, 6], []]);
        current.reopen();
      }
      current.store.channels.trim(chat, bytesOf(4) + bytesOf(5, 6) - 1);
      expect([3, 4].map(replay)).toEqual([undefined, [5, 6]]);
    });

    it('keeps what no snapshot covers', () => {
      appendRows([1], [2, 5], [6]);
      snapshotAt(3);
      current.store.channels.trim(chat, 0);
      expect([0, 1, 2].map(replay)).toEqual([undefined, [2, 5, 6], [5, 6]]);
      expect(seqsIn(current.store.channels.read(chat)?.tail)).toEqual([5, 6]);
    });

    it('counts bytes, not characters', () => {
      const wide = envelope(chat, 1, '€'.repeat(100));
      current.store.commit({ log: [{ channel: chat, firstSeq: 1, lastSeq: 1, envelopes: wide }] });
      snapshotAt(1);
      current.store.channels.trim(chat, Buffer.byteLength(wide));
      expect(replay(0)).toEqual([1]);
      current.store.channels.trim(chat, Buffer.byteLength(wide) - 1);
      expect(replay(0)).toBeUndefined();
    });

    it('leaves a state that loads and a log that can be appended to', () => {
      appendRows([1], [2]);
      snapshotAt(2);
      current.store.channels.trim(chat, 0);
      expect(current.store.channels.read(chat)).toMatchObject({ snapshot: { seq: 2 }, tail: '' });
      appendRows([3]);
      expect([1, 2, 3].map(replay)).toEqual([undefined, [3], []]);
    });

    it('does nothing to other channels, unknown ones, or a log that is short enough', () => {
      const other = 'ahp-chat:/other';
      current.store.commit({ channels: [chatChannel(other)], log: [logEntry(other, 1)] });
      appendRows([2]);
      snapshotAt(2);
      current.store.channels.trim('ahp-chat:/unknown', 0);
      current.store.channels.trim(chat, 10_000);
      expect(replay(0)).toEqual([2]);
      current.store.channels.trim(chat, 0);
      expect(seqsIn(current.store.channels.replay(other, 0))).toEqual([1]);
    });
  });
}
