import type { URI } from '@moorage/protocol';
import type { StoreBatch, SummaryPut } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';

export interface SessionWriter {
  /** The id of a session in the other tables. Inserts the session if it is new. */
  idOf(session: URI): number;
  putSummary(summary: SummaryPut): void;
  putDisposal(disposal: Disposal): void;
}

type Disposal = NonNullable<StoreBatch['disposals']>[number];

export function createSessionWriter(database: Database): SessionWriter {
  const selectId = database.prepare<{ id: number }>('SELECT id FROM sessions WHERE uri = ?');
  const insert = database.prepare('INSERT INTO sessions (uri) VALUES (?)');
  const replaceSummary = database.prepare(`
    INSERT INTO sessions (uri, modified_at, summary) VALUES (?, ?, ?)
    ON CONFLICT (uri) DO UPDATE SET modified_at = excluded.modified_at, summary = excluded.summary
  `);
  const updateDisposal = database.prepare('UPDATE sessions SET disposed_at = ? WHERE uri = ?');
  return {
    idOf: (session) => selectId.get(session)?.id ?? Number(insert.run(session).lastInsertRowid),
    putSummary: ({ session, modifiedAt, json }) => void replaceSummary.run(session, modifiedAt, json),
    putDisposal: ({ session, disposedAt }) => void updateDisposal.run(disposedAt ?? null, session),
  };
}
