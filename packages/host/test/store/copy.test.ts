import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copySqliteStore, openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { chat, chatChannel, logEntry, session, sessionChannel } from '../../src/testing/store-samples.js';
import { temporaryFolder } from './harness.js';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

it('a copy replays nothing, and goes on as any store: also by a snapshot of what it held already', () => {
  const [file, into] = [join(place.folder, 'store.db'), join(place.folder, 'copy.db')];
  const store = openSqliteStore({ file });
  store.commit({
    seqCeiling: 100,
    channels: [sessionChannel(session), chatChannel(chat)],
    log: [logEntry(chat, 5)],
  });
  expect(store.channels.replay(chat, 5)).toBe('');
  copySqliteStore(file, into);
  store.close();

  const copy = openSqliteStore({ file: into });
  expect(copy.channels.replay(chat, 5)).toBeUndefined();
  copy.commit({ channels: [{ ...chatChannel(chat), snapshot: { seq: 5, json: '"as it was"' } }] });
  expect(copy.channels.read(chat)).toMatchObject({ snapshot: { seq: 5, json: '"as it was"' }, tail: '' });
  const next = copy.header.seqCeiling + 1;
  copy.commit({ seqCeiling: next + 100, log: [logEntry(chat, next)] });
  expect(copy.channels.replay(chat, next - 1)).not.toBe('');
  copy.close();
});

it('a copy has a feed of its own, which begins with all that it has', () => {
  const [file, into] = [join(place.folder, 'store.db'), join(place.folder, 'copy.db')];
  const store = openSqliteStore({ file });
  const feed = store.feed();
  const { id } = feed;
  store.commit({ channels: [sessionChannel(session), chatChannel(chat)], log: [logEntry(chat, 5)] });
  feed.acknowledge(feed.last);
  copySqliteStore(file, into);
  store.close();

  const copy = openSqliteStore({ file: into });
  const own = copy.feed();
  expect(own.id).not.toBe(id);
  expect(own.read(own.start, Infinity)).toMatchObject({
    channels: [{ uri: session }, { uri: chat, isWhole: true }],
    log: [logEntry(chat, 5)],
  });
  copy.close();
});
