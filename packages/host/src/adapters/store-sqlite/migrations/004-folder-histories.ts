import type { Database } from '../../shared/sqlite.js';
import type { Migration } from './index.js';

/**
 * Operations belonged to a session and were listed by changeset. Those that could be undone become the histories of their
 * folders, in the order in which they were stored, and outlive the session. When they were done is not known.
 */
export const folderHistories: Migration = {
  version: 4,
  up(database) {
    const undoable = undoableIds(database);
    const records = database
      .prepare<Row>(
        "SELECT key, json FROM documents WHERE collection = 'changes' AND key LIKE 'operation %' ORDER BY rowid",
      )
      .all();
    const put = database.prepare(
      `INSERT INTO documents (collection, key, session_id, json) VALUES ('changes', ?, NULL, ?)
       ON CONFLICT (collection, key) DO UPDATE SET session_id = NULL, json = excluded.json`,
    );
    const newest = new Map<string, string>();
    for (const { key, json } of records) {
      const record = parsed(json);
      const { id, folder } = record ?? {};
      if (typeof id !== 'string' || typeof folder !== 'string' || !undoable.has(id)) continue;
      const previous = newest.get(folder);
      put.run(key, JSON.stringify({ ...record, ...(previous !== undefined && { previous }) }));
      newest.set(folder, id);
    }
    for (const [folder, id] of newest) put.run(`history ${folder}`, JSON.stringify(id));
    if (newest.size > 0) put.run('history-folders', JSON.stringify([...newest.keys()]));
  },
};

interface Row {
  readonly key: string;
  readonly json: string;
}

function undoableIds(database: Database): ReadonlySet<unknown> {
  const rows = database
    .prepare<Row>("SELECT key, json FROM documents WHERE collection = 'changes' AND key LIKE 'operations %'")
    .all();
  return new Set(
    rows.flatMap(({ json }) => {
      const undo = parsed(json)?.undo;
      return Array.isArray(undo) ? (undo as unknown[]) : [];
    }),
  );
}

/** Undefined if it is damaged: that step is left where it was. */
function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
