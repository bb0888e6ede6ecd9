import type { DocumentReader } from '../../ports/store.js';
import type { Database } from './sqlite.js';

export function createDocumentReader(database: Database): DocumentReader {
  const select = database.prepare<{ json: string }>('SELECT json FROM documents WHERE collection = ? AND key = ?');
  return { read: (collection, key) => select.get(collection, key)?.json };
}
