import type { URI } from '@moorage/protocol';
import { type ChannelPut, StoreError } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';

export interface ChannelWriter {
  /** Puts and removes channels in the given order. Returns those that are removed in the end. */
  put(channels: readonly ChannelPut[]): ReadonlySet<URI>;
}

export function createChannelWriter(database: Database, sessionId: (session: URI) => number): ChannelWriter {
  const selectExisting = database.prepare<ExistingChannel>(`
    SELECT kind, session_id, unsettled, snapshots.seq AS snapshot_seq
    FROM channels LEFT JOIN snapshots ON snapshots.channel_id = channels.id WHERE uri = ? AND NOT removed
  `);
  const insert = database.prepare(`
    INSERT INTO channels (uri, kind, session_id, unsettled, replayable_after, removed) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (uri) DO UPDATE SET
      kind = excluded.kind,
      session_id = excluded.session_id,
      unsettled = excluded.unsettled,
      replayable_after = excluded.replayable_after,
      removed = excluded.removed
  `);
  const update = database.prepare('UPDATE channels SET kind = ?, session_id = ?, unsettled = ? WHERE uri = ?');
  const replaceSnapshot = database.prepare(`
    INSERT INTO snapshots (channel_id, seq, json) SELECT id, ?, ? FROM channels WHERE uri = ?
    ON CONFLICT (channel_id) DO UPDATE SET seq = excluded.seq, json = excluded.json
  `);
  const deleteSnapshot = database.prepare(
    'DELETE FROM snapshots WHERE channel_id = (SELECT id FROM channels WHERE uri = ?)',
  );
  const deleteLog = database.prepare('DELETE FROM log WHERE channel_id = (SELECT id FROM channels WHERE uri = ?)');

  const put = ({ uri, kind, session, unsettled, snapshot }: ChannelPut): void => {
    const existing = selectExisting.get(uri);
    if (existing !== undefined) {
      const row = { kind, session_id: sessionId(session), unsettled: Number(unsettled) };
      if (!isSame(existing, row)) update.run(row.kind, row.session_id, row.unsettled, uri);
    } else if (snapshot !== undefined) {
      // The log begins after this snapshot, so a client that has seen less cannot be served by replay.
      insert.run(uri, kind, sessionId(session), Number(unsettled), snapshot.seq, 0);
    } else {
      throw new StoreError('broken', `The new channel ${uri} was put without a snapshot.`);
    }
    if (snapshot === undefined) return;
    if (existing !== undefined && snapshot.seq < (existing.snapshot_seq ?? 0)) {
      throw new StoreError('broken', `The snapshot of ${uri} at ${snapshot.seq} is older than the stored one.`);
    }
    replaceSnapshot.run(snapshot.seq, snapshot.json, uri);
  };

  /** Keeps the row until the session is purged, so that the URI counts as used. */
  const remove = ({ uri, kind, session }: ChannelPut): void => {
    insert.run(uri, kind, sessionId(session), 0, 0, 1);
    deleteSnapshot.run(uri);
    deleteLog.run(uri);
  };

  return {
    put: (channels) => {
      const removed = new Set<URI>();
      for (const channel of channels) {
        if (channel.removed) {
          remove(channel);
          removed.add(channel.uri);
        } else {
          put(channel);
          removed.delete(channel.uri);
        }
      }
      return removed;
    },
  };
}

interface ExistingChannel {
  readonly kind: string;
  readonly session_id: number;
  readonly unsettled: number;
  readonly snapshot_seq: number | null;
}

/** Usually only the snapshot has changed. An update would make SQLite rewrite the index pages all the same. */
function isSame(existing: ExistingChannel, row: Omit<ExistingChannel, 'snapshot_seq'>): boolean {
  return existing.kind === row.kind && existing.session_id === row.session_id && existing.unsettled === row.unsettled;
}
