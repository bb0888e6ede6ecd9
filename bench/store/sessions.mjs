import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import { openBare } from './bare.mjs';
import { storeWithSessions, summaries } from './samples.mjs';

export function* sessionCases(folder, count) {
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
