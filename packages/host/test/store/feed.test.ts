import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store-sqlite/index.js';
import { chat, chatChannel, logEntry, sessionChannel } from '../../src/testing/store-samples.js';
import { temporaryFolder } from './harness.js';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

it('a feed starts over when the machine stopped before the host: a fleet may have what the store lost', () => {
  const file = join(place.folder, 'store.db');
  const before = openSqliteStore({ file, boot: () => 'one' });
  const { id } = before.feed();
  before.commit({ channels: [sessionChannel(), chatChannel()], log: [logEntry(chat, 1)] });

  const after = openSqliteStore({ file, boot: () => 'two' });
  const feed = after.feed();
  expect(feed.id).not.toBe(id);
  expect(feed.read(feed.start, Infinity)).toMatchObject({
    channels: [{ isWhole: true }, { uri: chat, isWhole: true }],
    log: [logEntry(chat, 1)],
  });
  after.close();
  before.close();
});

it('a feed goes on when only the host stopped', () => {
  const file = join(place.folder, 'store.db');
  const before = openSqliteStore({ file, boot: () => 'one' });
  const { id } = before.feed();
  before.commit({ channels: [sessionChannel(), chatChannel()], log: [logEntry(chat, 1)] });
  const after = openSqliteStore({ file, boot: () => 'one' });
  expect([after.feed().id, after.feed().last]).toEqual([id, 1]);
  after.close();
  before.close();
});
