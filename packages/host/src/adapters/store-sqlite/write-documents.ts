import type { URI } from '@moorage/protocol';
import type { DocumentPut } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';

export function createDocumentWriter(
  database: Database,
  sessionId: (session: URI) => number,
): (document: DocumentPut) => void {
  const replace = database.prepare(`
    INSERT INTO documents (collection, key, session_id, json) VALUES (?, ?, ?, ?)
    ON CONFLICT (collection, key) DO UPDATE SET session_id = excluded.session_id, json = excluded.json
  `);
  const remove = database.prepare('DELETE FROM documents WHERE collection = ? AND key = ?');
  return ({ collection, key, session, json }) => {
    if (json === undefined) remove.run(collection, key);
    else replace.run(collection, key, session === undefined ? null : sessionId(session), json);
  };
}
