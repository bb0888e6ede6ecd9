import type { ChannelKind, URI } from '@moorage/protocol';
import { type ChannelReader, type SessionReader, StoreError } from '../../ports/store.js';
import { envelopesAfter } from '../shared/envelopes-after.js';
import type { Database } from '../shared/sqlite.js';
import type { Transaction } from './commit.js';
import { createTrim } from './trim.js';

export function createChannelReader(
  database: Database,
  transaction: Transaction,
  neededAfter: () => number | undefined,
): ChannelReader & Pick<SessionReader, 'readDisposed'> {
  const channelsWhere = (condition: string, snapshot = 'snapshots.json') => `
    SELECT channels.uri, channels.kind, sessions.uri AS session, snapshots.seq, ${snapshot},
      ${startOfTail('snapshots.seq')}
    FROM channels
    JOIN sessions ON sessions.id = channels.session_id
    JOIN snapshots ON snapshots.channel_id = channels.id
    WHERE ${condition}
  `;
  const selectChannel = database.prepare<ChannelRow & StartOfTail>(
    channelsWhere('channels.uri = ? AND sessions.disposed_at IS NULL'),
  );
  const selectLength = database.prepare<ChannelLengthRow & StartOfTail>(
    channelsWhere('channels.uri = ? AND sessions.disposed_at IS NULL', 'octet_length(snapshots.json) AS bytes'),
  );
  // SQLite reads the whole text each time, but that is quick; what takes long is making a string of it.
  const selectPiece = database.prepare<{ piece: Uint8Array }>(
    'SELECT substr(CAST(json AS BLOB), ?, ?) AS piece FROM snapshots WHERE channel_id = ? AND seq = ?',
  );
  const selectDisposed = database.prepare<ChannelRow & StartOfTail>(
    `${channelsWhere('sessions.uri = ? AND sessions.disposed_at IS NOT NULL')} ORDER BY channels.id`,
  );
  const selectReplay = database.prepare<StartOfTail>(`
    SELECT ${startOfTail('asked.seq')}
    FROM channels
    JOIN sessions ON sessions.id = channels.session_id
    JOIN (SELECT ? AS seq) AS asked
    WHERE channels.uri = ? AND NOT channels.removed AND channels.replayable_after <= asked.seq
      AND sessions.disposed_at IS NULL
  `);
  // SQLite joins the texts, so that no row is parsed or becomes an object. group_concat keeps the order of the subquery.
  // It is a separate statement because the result of a nested one would be copied twice.
  const selectLater = database.prepare<{ envelopes: string | null }>(`
    SELECT group_concat(envelopes, ',') AS envelopes FROM (
      SELECT envelopes FROM log WHERE channel_id = ? AND first_seq > ? ORDER BY first_seq
    )
  `);
  const selectAny = database.prepare<unknown>('SELECT 1 FROM channels WHERE uri = ?');

  const readTail = ({ id, straddling }: StartOfTail, seq: number): string => {
    const later = selectLater.get(id, seq)?.envelopes ?? '';
    if (straddling === null) return later;
    const rest = envelopesAfter(straddling, seq);
    return later === '' ? rest : `${rest},${later}`;
  };
  const toChannel = (row: ChannelRow & StartOfTail) => {
    const { kind, session, seq, json } = row;
    return { kind, session, snapshot: { seq, json }, tail: readTail(row, seq) };
  };
  function* piecesOf({ id, seq, bytes }: Pick<ChannelLengthRow & StartOfTail, 'id' | 'seq' | 'bytes'>) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for (let at = 0; at < bytes; at += PIECE_BYTES) {
      const row = selectPiece.get(at + 1, PIECE_BYTES, id, seq);
      if (!row) throw new StoreError('unavailable', 'The snapshot was replaced while it was read. Read it again.');
      yield decoder.decode(row.piece, { stream: at + PIECE_BYTES < bytes });
    }
  }
  return {
    read: (uri) => {
      const row = selectChannel.get(uri);
      return row && toChannel(row);
    },
    readInPieces: (uri) => {
      const row = selectLength.get(uri);
      if (!row) return undefined;
      const { kind, session, seq, bytes } = row;
      return { kind, session, snapshot: { seq, bytes, pieces: piecesOf(row) }, tail: readTail(row, seq) };
    },
    readDisposed: (session) => selectDisposed.all(session).map((row) => ({ uri: row.uri, ...toChannel(row) })),
    exists: (uri) => selectAny.get(uri) !== undefined,
    replay: (uri, afterSeq) => {
      const row = selectReplay.get(afterSeq, uri);
      return row && readTail(row, afterSeq);
    },
    trim: createTrim(database, transaction, neededAfter),
  };
}

/** Bytes of a snapshot that are read at once: a few milliseconds. */
const PIECE_BYTES = 2 * 1024 * 1024;

interface StoredRow {
  readonly uri: URI;
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly seq: number;
}

interface ChannelRow extends StoredRow {
  readonly json: string;
}

interface ChannelLengthRow extends StoredRow {
  readonly bytes: number;
}

interface StartOfTail {
  readonly id: number;
  /** The one row that has envelopes on both sides of the seq, if there is one. */
  readonly straddling: string | null;
}

function startOfTail(seq: string): string {
  return `channels.id, (
      SELECT CASE WHEN last_seq > ${seq} THEN envelopes END FROM log
      WHERE channel_id = channels.id AND first_seq <= ${seq}
      ORDER BY first_seq DESC LIMIT 1
    ) AS straddling`;
}
