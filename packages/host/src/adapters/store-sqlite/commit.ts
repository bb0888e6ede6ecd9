import type { URI } from '@moorage/protocol';
import {
  type ChannelPut,
  type DocumentPut,
  type LogPut,
  type StoreBatch,
  StoreError,
  type SummaryPut,
} from '../../ports/store.js';
import type { Database, Statement } from '../shared/sqlite.js';
import type { FeedRecorder, RecordedTick } from './feed/recorder.js';

/** Writes each batch in one transaction. */
export function createCommit(
  database: Database,
  transaction: Transaction,
  initialCeiling: number,
  feed: FeedRecorder,
): (batch: StoreBatch) => void {
  const raiseCeiling = database.prepare('UPDATE host SET seq_ceiling = max(seq_ceiling, ?)');
  const sessions = createSessionWriter(database);
  const channels = createChannelWriter(database, sessions.idOf);
  const appendLog = createLogWriter(database);
  const putDocument = createDocumentWriter(database, sessions.idOf);

  let ceiling = initialCeiling;
  let usedUpTo = initialCeiling;
  return (batch) => {
    const log = batch.log ?? [];
    const highestSeq = log.reduce((highest, { lastSeq }) => Math.max(highest, lastSeq), usedUpTo);
    // Never below the log, so that no number is reused even if a host does not raise the ceiling in advance.
    const nextCeiling = Math.max(ceiling, batch.seqCeiling ?? 0, highestSeq);
    const tick = transaction(() => {
      const recorded = feed.current.isOff ? undefined : feed.record(batch);
      if (nextCeiling > ceiling) raiseCeiling.run(nextCeiling);
      const removed = channels.put(batch.channels ?? []);
      const kept = removed.size === 0 ? log : log.filter(({ channel }) => !removed.has(channel));
      appendLog(kept, usedUpTo, recorded);
      for (const summary of batch.summaries ?? []) sessions.putSummary(summary);
      for (const disposal of batch.disposals ?? []) sessions.putDisposal(disposal);
      for (const document of batch.documents ?? []) putDocument(document);
      return recorded;
    });
    if (!feed.current.isOff) feed.committed(tick);
    ceiling = nextCeiling;
    usedUpTo = highestSeq;
  };
}

interface ChannelWriter {
  /** Puts and removes channels in the given order. Returns those that are removed in the end. */
  put(channels: readonly ChannelPut[]): ReadonlySet<URI>;
}

function createChannelWriter(database: Database, sessionId: (session: URI) => number): ChannelWriter {
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

/** Appends to the log. Throws for unknown channels and for numbers already used, which would make a replay wrong. */
function createLogWriter(database: Database): AppendLog {
  const insert = database.prepare(`
    INSERT INTO log (id, channel_id, first_seq, last_seq, envelopes, tick)
    SELECT ?, id, ?, ?, ?, ? FROM channels WHERE uri = ? AND NOT removed
  `);
  return (entries, usedUpTo, tick) => {
    const ends = new Map<URI, number>();
    for (const { channel, firstSeq, lastSeq, envelopes } of entries) {
      const end = ends.get(channel) ?? usedUpTo;
      if (firstSeq <= end || lastSeq < firstSeq) throw alreadyUsed(channel, firstSeq, lastSeq, end);
      const row = tick?.nextRow() ?? null;
      if (insert.run(row, firstSeq, lastSeq, envelopes, tick?.number ?? null, channel).changes === 0)
        throw unknown(channel);
      ends.set(channel, lastSeq);
    }
  };
}

type AppendLog = (entries: readonly LogPut[], usedUpTo: number, tick: RecordedTick | undefined) => void;

function alreadyUsed(channel: URI, firstSeq: number, lastSeq: number, end: number): StoreError {
  return new StoreError('broken', `The log of ${channel} cannot take ${firstSeq} to ${lastSeq} after ${end}.`);
}

function unknown(channel: URI): StoreError {
  return new StoreError('broken', `The log of ${channel} was written, but never the channel.`);
}

interface SessionWriter {
  /** The id of a session in the other tables. Inserts the session if it is new. */
  idOf(session: URI): number;
  putSummary(summary: SummaryPut): void;
  putDisposal(disposal: Disposal): void;
}

type Disposal = NonNullable<StoreBatch['disposals']>[number];

function createSessionWriter(database: Database): SessionWriter {
  const selectId = database.prepare<{ id: number }>('SELECT id FROM sessions WHERE uri = ?');
  const insert = database.prepare('INSERT INTO sessions (uri) VALUES (?)');
  const replaceSummary = database.prepare(`
    INSERT INTO sessions (uri, modified_at, summary) VALUES (?, ?, ?)
    ON CONFLICT (uri) DO UPDATE SET modified_at = excluded.modified_at, summary = excluded.summary
  `);
  const updateDisposal = database.prepare('UPDATE sessions SET disposed_at = ? WHERE uri = ?');
  return {
    idOf: (session) => selectId.get(session)?.id ?? Number(insert.run(session).lastInsertRowid),
    putSummary: ({ session, modifiedAt, json }) => void replaceSummary.run(session, modifiedAt, json),
    putDisposal: ({ session, disposedAt }) => void updateDisposal.run(disposedAt ?? null, session),
  };
}

function createDocumentWriter(
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

/** Runs `work` as one transaction. If it throws, or if the commit fails, all its changes are rolled back. */
export type Transaction = <T>(work: () => T) => T;

/** What is added to the first transaction of a connection, and done once that is committed. */
export interface FirstTransaction {
  inside(): void;
  afterwards(): void;
}

export function createTransaction(database: Database, first?: FirstTransaction): Transaction {
  // Takes the write lock first, so that a busy database is noticed before anything is done.
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let isFirst = first !== undefined;
  const run: Transaction = (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      undo(rollback);
      throw error;
    }
  };
  return (work) => {
    if (!isFirst) return run(work);
    const result = run(() => {
      first?.inside();
      return work();
    });
    isFirst = false;
    first?.afterwards();
    return result;
  };
}

function undo(rollback: Statement<never>): void {
  try {
    rollback.run();
  } catch {
    // When the disk is full or fails, SQLite has already rolled back by itself.
  }
}
