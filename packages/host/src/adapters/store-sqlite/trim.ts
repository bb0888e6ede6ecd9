import type { ChannelReader } from '../../ports/store.js';
import type { Database, Statement } from '../shared/sqlite.js';
import type { Transaction } from './commit.js';

/** Rows of ticks after `neededAfter` stay; undefined when nobody reads the log by tick. */
export function createTrim(
  database: Database,
  transaction: Transaction,
  neededAfter: () => number | undefined,
): ChannelReader['trim'] {
  const selectSnapshot = database.prepare<{ id: number; seq: number }>(`
    SELECT channels.id, snapshots.seq FROM channels JOIN snapshots ON snapshots.channel_id = channels.id
    WHERE channels.uri = ?
  `);
  const selectNewest = database.prepare<SizedRow>(`
    SELECT last_seq, tick, octet_length(envelopes) AS bytes FROM log WHERE channel_id = ? ORDER BY first_seq DESC
  `);
  const deleteUpTo = database.prepare('DELETE FROM log WHERE channel_id = ? AND first_seq <= ?');
  const forgetUpTo = database.prepare('UPDATE channels SET replayable_after = max(replayable_after, ?) WHERE id = ?');
  return (uri, keepBytes) => {
    const acknowledged = neededAfter() ?? Infinity;
    transaction(() => {
      const channel = selectSnapshot.get(uri);
      if (channel === undefined) return;
      const lastSeq = findNewestToDelete(selectNewest, channel, keepBytes, acknowledged);
      if (lastSeq === undefined) return;
      deleteUpTo.run(channel.id, lastSeq);
      forgetUpTo.run(lastSeq, channel.id);
    });
  };
}

interface SizedRow {
  readonly last_seq: number;
  readonly tick: number | null;
  readonly bytes: number;
}

/** Walks back from the newest row, so that the cost depends on the rows that stay, however long the log is. */
function findNewestToDelete(
  selectNewest: Statement<SizedRow>,
  snapshot: { readonly id: number; readonly seq: number },
  keepBytes: number,
  acknowledged: number,
): number | undefined {
  let kept = 0;
  for (const { last_seq, tick, bytes } of selectNewest.iterate(snapshot.id)) {
    kept += bytes;
    if (kept > keepBytes && last_seq <= snapshot.seq && (tick ?? 0) <= acknowledged) return last_seq;
  }
  return undefined;
}
