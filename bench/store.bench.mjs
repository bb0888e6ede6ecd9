import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@ahpd/host';
import { randomFrom, uuid, words } from './lib/random.mjs';

/**
 * What the store adds to SQLite. The baseline is always the same SQLite with the same settings, used by hand for that
 * one purpose. Goals are from GOALS.md, section "Log and replay".
 */
export function* cases({ smoke }) {
  const folder = mkdtempSync(join(tmpdir(), 'ahpd-bench-'));
  try {
    const sessions = smoke ? 100 : 10_000;
    yield* appendCases(folder, sessions);
    yield* replayCases(folder, smoke ? 1000 : 10_000);
    yield* sessionCases(folder, sessions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* appendCases(folder, sessions) {
  for (const [channels, perChannel] of [
    [1, 16],
    [1, 1],
    [8, 4],
  ]) {
    const work = channels * perChannel;
    const name = `append ${work} actions in ${channels} chats, one commit`;
    yield { name, work, ...appenders(folder, channels, perChannel), pairs: () => [], atMost: 1 / 0.8 };
  }
  const empty = storeWithSessions(join(folder, 'append-none.db'), 0);
  const full = storeWithSessions(join(folder, 'append-many.db'), sessions);
  yield {
    name: `append 16 actions, ${sessions} sessions stored against none`,
    work: 16,
    baseline: appender(empty, 1, 16),
    ours: appender(full, 1, 16),
    pairs: () => [],
    atMost: 1.3,
    sizes: [1, sessions],
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

function* replayCases(folder, actions) {
  for (const perRow of [1, 16]) {
    const name = `replay ${actions} actions, ${perRow} per row`;
    const file = (suffix) => join(folder, `replay-${perRow}${suffix}.db`);
    const [store, bare, tenth] = [
      openSqliteStore({ file: file('') }),
      openBare(file('-bare')),
      openSqliteStore({ file: file('-tenth') }),
    ];
    const [chat] = chatUris(1);
    createBareLog(bare);
    fillLog(store, bare, chat, actions, perRow);
    fillLog(tenth, undefined, chat, actions / 10, perRow);
    const select = bare.prepare('SELECT envelopes FROM log WHERE channel = ? AND first_seq > ? ORDER BY first_seq');
    const baseline = () =>
      select
        .all(0, 0)
        .map(({ envelopes }) => envelopes)
        .join(',');
    const ours = () => store.channels.replay(chat, 0);
    yield { name, work: actions, baseline, ours, atMost: 2 };
    yield {
      name: `${name}, against a tenth`,
      work: actions,
      baseline: () => tenth.channels.replay(chat, 0),
      ours,
      pairs: () => [],
      atMost: 10 * 1.3,
      sizes: [1, 10],
    };
  }
}

function* sessionCases(folder, count) {
  const file = join(folder, 'sessions.db');
  const none = join(folder, 'no-sessions.db');
  const store = storeWithSessions(file, count);
  storeWithSessions(none, 0).close();
  const bare = openBare(join(folder, 'sessions-bare.db'));
  bare.exec('CREATE TABLE sessions (uri TEXT PRIMARY KEY, modified_at INTEGER, disposed_at INTEGER, summary TEXT)');
  bare.exec('CREATE INDEX listed ON sessions (disposed_at, modified_at)');
  const insert = bare.prepare('INSERT INTO sessions VALUES (?, ?, NULL, ?)');
  bare.exec('BEGIN');
  for (const { session, modifiedAt, json } of summaries(count)) insert.run(session, modifiedAt, json);
  bare.exec('COMMIT');
  const select = bare.prepare('SELECT summary FROM sessions WHERE disposed_at IS NULL ORDER BY modified_at DESC');
  yield {
    name: `list ${count} sessions`,
    work: count,
    baseline: () =>
      `[${select
        .all()
        .map(({ summary }) => summary)
        .join(',')}]`,
    ours: () => `[${store.sessions.list().join(',')}]`,
    atMost: 1.5,
  };
  store.close();
  const openAndClose = (path) => () => {
    const opened = openSqliteStore({ file: path });
    const { unsettled } = opened.header;
    opened.close();
    return unsettled;
  };
  yield {
    name: `open with ${count} sessions against none`,
    work: 1,
    baseline: openAndClose(none),
    ours: openAndClose(file),
    atMost: 1.3,
    sizes: [1, count],
  };
}

function storeWithSessions(file, count) {
  const store = openSqliteStore({ file });
  const all = summaries(count);
  store.commit({
    channels: all.map(({ session }) => ({ ...chatPut(session), kind: 'session', session })),
    summaries: all,
  });
  return store;
}

function summaries(count) {
  const random = randomFrom(5);
  return Array.from({ length: count }, (_, index) => {
    const session = `ahp-session:/${uuid(random)}`;
    const modifiedAt = 1_750_000_000_000 + Math.floor(random() * 1e9) * 10_000 + index;
    const workingDirectory = `file:///home/somebody/projects/${words(random, 2)}`;
    const summary = {
      resource: session,
      provider: 'demo',
      title: words(random, 8),
      status: 1,
      modifiedAt,
      workingDirectory,
    };
    return { session, modifiedAt, json: JSON.stringify(summary) };
  });
}

function fillLog(store, bare, chat, actions, perRow) {
  store.commit({ channels: [chatPut(chat)] });
  const insert = bare?.prepare('INSERT INTO log (channel, first_seq, last_seq, envelopes) VALUES (0, ?, ?, ?)');
  const batches = batchesFor([chat], perRow);
  bare?.exec('BEGIN');
  for (let done = 0; done < actions; done += perRow) {
    const log = batches.next();
    store.commit({ log });
    for (const { firstSeq, lastSeq, envelopes } of log) insert?.run(firstSeq, lastSeq, envelopes);
  }
  bare?.exec('COMMIT');
}

/** Batches without end; the texts are made beforehand, since the host has them anyway. */
function batchesFor(uris, perChannel) {
  const random = randomFrom(3);
  const turnId = uuid(random);
  const action = { type: 'chat/delta', turnId, partId: 'part-1', content: words(random, 12) };
  const texts = uris.map((channel) =>
    Array(perChannel)
      .fill(JSON.stringify({ channel, action, serverSeq: 123_456 }))
      .join(','),
  );
  let seq = 0;
  return {
    next: () =>
      uris.map((channel, index) => {
        const firstSeq = seq + 1;
        seq += perChannel;
        return { channel, firstSeq, lastSeq: seq, envelopes: texts[index] };
      }),
  };
}

function chatUris(count) {
  const random = randomFrom(7);
  return Array.from({ length: count }, () => `ahp-chat:/${uuid(random)}`);
}

function chatPut(uri) {
  return {
    uri,
    kind: 'chat',
    session: 'ahp-session:/bench',
    unsettled: false,
    snapshot: { seq: 0, json: '{"turns":[]}' },
  };
}

function createBareLog(database) {
  database.exec('CREATE TABLE log (channel INTEGER, first_seq INTEGER, last_seq INTEGER, envelopes TEXT)');
  database.exec('CREATE INDEX by_channel ON log (channel, first_seq)');
}

function openBare(file) {
  const { DatabaseSync } =
    process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192');
  return database;
}
