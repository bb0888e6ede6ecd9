import { type LogPut, StoreError } from '../../ports/store.js';
import type { Database } from './sqlite.js';

/** Appends to the log, and refuses what would make a replay wrong: unknown channels and numbers that do not rise. */
export function createLogWriter(database: Database): (entry: LogPut) => void {
  const selectEnd = database.prepare<{ id: number; last_seq: number | null }>(`
    SELECT id, (SELECT last_seq FROM log WHERE channel_id = channels.id ORDER BY first_seq DESC LIMIT 1) AS last_seq
    FROM channels WHERE uri = ? AND NOT removed
  `);
  const insert = database.prepare('INSERT INTO log (channel_id, first_seq, last_seq, envelopes) VALUES (?, ?, ?, ?)');
  return ({ channel, firstSeq, lastSeq, envelopes }) => {
    const end = selectEnd.get(channel);
    if (end === undefined) throw new StoreError('broken', `The log of ${channel} was written, but never the channel.`);
    if (lastSeq < firstSeq || (end.last_seq !== null && firstSeq <= end.last_seq)) {
      const range = `${firstSeq} to ${lastSeq}`;
      throw new StoreError('broken', `The log of ${channel} cannot take ${range} after ${end.last_seq ?? 'nothing'}.`);
    }
    insert.run(end.id, firstSeq, lastSeq, envelopes);
  };
}
