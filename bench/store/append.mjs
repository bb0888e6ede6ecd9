import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import { createBareLog, openBare } from './bare.mjs';
import { batchesFor, chatPut, chatUris, storeWithSessions } from './samples.mjs';

export function* appendCases(folder, sessions) {
  for (const [channels, perChannel] of [
    [1, 16],
    [1, 1],
    [8, 4],
  ]) {
    const work = channels * perChannel;
    const name = `append ${work} actions in ${channels} chats, one commit`;
    const { baseline, ours } = appenders(folder, channels, perChannel);
    yield { name, work: work * COMMITS, baseline: many(baseline), ours: many(ours), pairs: () => [], atMost: 1 / 0.8 };
  }
  yield {
    name: 'append 1 action, durability full against normal',
    work: FLUSHED_COMMITS,
    baseline: many(appender(openSqliteStore({ file: join(folder, 'append-normal.db') }), 1, 1), FLUSHED_COMMITS),
    ours: many(
      appender(openSqliteStore({ file: join(folder, 'append-flushed.db'), synchronous: 'full' }), 1, 1),
      FLUSHED_COMMITS,
    ),
    pairs: () => [],
  };
  yield {
    name: 'append 16 actions, recorded for a fleet against not',
    work: 16 * COMMITS,
    baseline: many(appender(openSqliteStore({ file: join(folder, 'append-alone.db') }), 1, 16)),
    ours: many(appender(withFeed(openSqliteStore({ file: join(folder, 'append-feed.db') })), 1, 16)),
    pairs: () => [],
    atMost: 1.1,
  };
  const empty = storeWithSessions(join(folder, 'append-none.db'), 0);
  const full = storeWithSessions(join(folder, 'append-many.db'), sessions);
  yield {
    name: `append 16 actions, ${sessions} sessions stored against none`,
    work: 16 * COMMITS,
    baseline: many(appender(empty, 1, 16)),
    ours: many(appender(full, 1, 16)),
    pairs: () => [],
    atMost: 1.3,
    sizes: [1, sessions],
  };
}

/** So many that each sample meets about as many checkpoints as the next. */
const COMMITS = 1000;

/** Fewer where each waits for the disk. */
const FLUSHED_COMMITS = 100;

function many(commit, commits = COMMITS) {
  return () => {
    for (let count = 0; count < commits; count++) commit();
  };
}

function appenders(folder, channels, perChannel) {
  const name = `append-${channels}-${perChannel}`;
  return {
    baseline: bareAppender(join(folder, `${name}-bare.db`), channels, perChannel),
    ours: appender(openSqliteStore({ file: join(folder, `${name}.db`) }), channels, perChannel),
  };
}

/** Each call commits the next batch. As the host does, it reserves numbers in blocks of a thousand. */
function appender(store, channels, perChannel) {
  const uris = chatUris(channels);
  store.commit({ channels: uris.map((uri) => chatPut(uri)) });
  const batches = batchesFor(uris, perChannel);
  return () => {
    const log = batches.next();
    const { lastSeq } = log.at(-1);
    store.commit(lastSeq % 1000 < log.length * perChannel ? { seqCeiling: lastSeq + 1000, log } : { log });
  };
}

function withFeed(store) {
  store.feed();
  return store;
}

function bareAppender(file, channels, perChannel) {
  const database = openBare(file);
  createBareLog(database);
  const [begin, commit] = ['BEGIN IMMEDIATE', 'COMMIT'].map((sql) => database.prepare(sql));
  const insert = database.prepare('INSERT INTO log (channel, first_seq, last_seq, envelopes) VALUES (?, ?, ?, ?)');
  const uris = chatUris(channels);
  const batches = batchesFor(uris, perChannel);
  return () => {
    begin.run();
    batches.next().forEach(({ firstSeq, lastSeq, envelopes }, index) => {
      insert.run(index, firstSeq, lastSeq, envelopes);
    });
    commit.run();
  };
}
