import type { StoreHeader } from '../../ports/store.js';
import type { Database } from './sqlite.js';

export function createHeaderReader(database: Database): () => StoreHeader {
  const selectCeiling = database.prepare<{ seq_ceiling: number }>('SELECT seq_ceiling FROM host');
  const selectUnsettled = database.prepare<{ uri: string }>(`
    SELECT channels.uri FROM channels JOIN sessions ON sessions.id = channels.session_id
    WHERE channels.unsettled = 1 AND sessions.disposed_at IS NULL
    ORDER BY channels.id
  `);
  return () => ({
    seqCeiling: selectCeiling.get()?.seq_ceiling ?? 0,
    unsettled: selectUnsettled.all().map(({ uri }) => uri),
  });
}
