import type { SessionReader } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import type { Transaction } from './commit.js';
import type { FeedRecorder } from './feed/recorder.js';

/** `readDisposed` is part of the channel reader. */
export function createSessionReader(
  database: Database,
  transaction: Transaction,
  feed: Pick<FeedRecorder, 'keepLast'>,
): Omit<SessionReader, 'readDisposed'> {
  // One text for all sessions, because ten thousand row objects cost more than the rest of the query. Character 30 (record
  // separator) cannot occur in JSON text, and group_concat keeps the order of the subquery. One damaged text would make the
  // whole list unreadable, and to find it here costs next to nothing.
  const selectListed = database.prepare<{ summaries: string | null }>(`
    SELECT group_concat(summary, char(30)) AS summaries FROM (
      SELECT summary FROM sessions
      WHERE disposed_at IS NULL AND summary IS NOT NULL AND json_valid(summary)
      ORDER BY modified_at DESC, id DESC
    )
  `);
  const countListed = database.prepare<{ count: number }>(
    'SELECT count(*) AS count FROM sessions WHERE disposed_at IS NULL AND summary IS NOT NULL',
  );
  const selectDisposed = database.prepare<{ disposed_at: number; summary: string }>(`
    SELECT disposed_at, summary FROM sessions
    WHERE disposed_at IS NOT NULL AND summary IS NOT NULL
    ORDER BY disposed_at DESC, id DESC
  `);
  const deleteDisposed = database.prepare('DELETE FROM sessions WHERE disposed_at < ?'); // cascades to everything they own
  return {
    list: () => selectListed.get()?.summaries?.split('\x1e') ?? [],
    count: () => countListed.get()?.count ?? 0,
    listDisposed: () =>
      selectDisposed.all().map((row) => ({ disposedAt: row.disposed_at, summary: JSON.parse(row.summary) })),
    purge: (disposedBefore) =>
      transaction(() => {
        feed.keepLast();
        return Number(deleteDisposed.run(disposedBefore).changes);
      }),
  };
}
