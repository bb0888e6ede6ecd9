import type { StoreHeader } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';

export function createHeaderReader(database: Database): () => StoreHeader {
  const selectCeiling = database.prepare<{ seq_ceiling: number }>('SELECT seq_ceiling FROM host');
  const selectUnsettled = database.prepare<{ uri: string }>(`
    SELECT channels.uri FROM channels JOIN sessions ON sessions.id = channels.session_id
    WHERE channels.unsettled = 1 AND sessions.disposed_at IS NULL
    ORDER BY channels.id
  `);
  return () => {
    const row = selectCeiling.get();
    // Starting over at 0 would reuse every number.
    if (!row) throw new SyntaxError('the number of the last action is missing');
    return { seqCeiling: row.seq_ceiling, unsettled: selectUnsettled.all().map(({ uri }) => uri) };
  };
}
