import type { DocumentReader, StoredDocument } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';

export function createDocumentReader(database: Database): DocumentReader {
  const select = database.prepare<{ json: string; valid: number }>(
    'SELECT json, json_valid(json) AS valid FROM documents WHERE collection = ? AND key = ?',
  );
  const selectOfSession = database.prepare<{ json: string }>(
    'SELECT json FROM documents JOIN sessions ON sessions.id = session_id WHERE sessions.uri = ?',
  );
  const selectEntries = database.prepare<StoredDocument>(
    `SELECT collection, key, json FROM documents JOIN sessions ON sessions.id = session_id WHERE sessions.uri = ?`,
  );
  return {
    read: (collection, key) => {
      const row = select.get(collection, key);
      if (row?.valid === 0) throw new SyntaxError(`the document ${collection} ${key} is no longer valid JSON`);
      return row?.json;
    },
    ofSession: (session) => selectOfSession.all(session).map(({ json }) => json),
    entriesOf: (session) => selectEntries.all(session),
  };
}
