import type { DocumentReader } from '../../ports/store.js';
import type { Database } from './sqlite.js';

export function createDocumentReader(database: Database): DocumentReader {
  const select = database.prepare<{ json: string }>('SELECT json FROM documents WHERE collection = ? AND key = ?');
  const selectOfSession = database.prepare<{ json: string }>(
    'SELECT json FROM documents JOIN sessions ON sessions.id = session_id WHERE sessions.uri = ?',
  );
  return {
    read: (collection, key) => select.get(collection, key)?.json,
    ofSession: (session) => selectOfSession.all(session).map(({ json }) => json),
  };
}
