import type { ChannelKind, URI } from '@ahpd/protocol';
import type { ChannelReader } from '../../ports/store.js';
import type { Database } from './sqlite.js';
import type { Transaction } from './transaction.js';
import { createTrim } from './trim.js';

/** Each read is one statement, so that it sees one moment even when another process writes. */
export function createChannelReader(database: Database, transaction: Transaction): ChannelReader {
  const selectChannel = database.prepare<ChannelRow & TailRow>(`
    SELECT channels.kind, sessions.uri AS session, snapshots.seq, snapshots.json, ${tailAfter('snapshots.seq')}
    FROM channels
    JOIN sessions ON sessions.id = channels.session_id
    JOIN snapshots ON snapshots.channel_id = channels.id
    WHERE channels.uri = ? AND sessions.disposed_at IS NULL
  `);
  const selectReplay = database.prepare<TailRow>(`
    SELECT ${tailAfter('?2')}
    FROM channels
    JOIN sessions ON sessions.id = channels.session_id
    WHERE channels.uri = ?1 AND NOT channels.removed AND channels.replayable_after <= ?2
      AND sessions.disposed_at IS NULL
  `);
  const selectAny = database.prepare<unknown>('SELECT 1 FROM channels WHERE uri = ?');
  return {
    read: (uri) => {
      const row = selectChannel.get(uri);
      if (row === undefined) return undefined;
      const { kind, session, seq, json } = row;
      return { kind, session, snapshot: { seq, json }, tail: joinTail(row, seq) };
    },
    exists: (uri) => selectAny.get(uri) !== undefined,
    replay: (uri, afterSeq) => {
      const row = selectReplay.get(uri, afterSeq);
      return row && joinTail(row, afterSeq);
    },
    trim: createTrim(database, transaction),
  };
}

interface ChannelRow {
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly seq: number;
  readonly json: string;
}

interface TailRow {
  /** The one row that holds envelopes on both sides of the seq. */
  readonly straddling: string | null;
  /** The rows wholly after it, joined by SQLite: no text is parsed, and no object made, per row. */
  readonly later: string | null;
}

function tailAfter(seq: string): string {
  return `
    (SELECT CASE WHEN last_seq > ${seq} THEN envelopes END FROM log
      WHERE channel_id = channels.id AND first_seq <= ${seq}
      ORDER BY first_seq DESC LIMIT 1) AS straddling,
    (SELECT group_concat(envelopes, ',') FROM
      (SELECT envelopes FROM log
        WHERE channel_id = channels.id AND first_seq > ${seq}
        ORDER BY first_seq)) AS later`;
}

function joinTail({ straddling, later }: TailRow, seq: number): string {
  if (straddling === null) return later ?? '';
  const rest = envelopesAfter(straddling, seq);
  return later === null ? rest : `${rest},${later}`;
}

/** Gives back the very bytes that were stored, since the host wrote them with JSON.stringify too. */
function envelopesAfter(envelopes: string, seq: number): string {
  const parsed: { readonly serverSeq: number }[] = JSON.parse(`[${envelopes}]`);
  return parsed
    .filter(({ serverSeq }) => serverSeq > seq)
    .map((envelope) => JSON.stringify(envelope))
    .join(',');
}
