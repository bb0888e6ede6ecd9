import type { ChannelKind, URI } from '@moorage/protocol';
import type {
  DocumentCollection,
  DocumentPut,
  FeedBatch,
  FeedChannel,
  FeedSession,
  LogPut,
} from '../../../ports/store.js';
import type { Database } from '../../shared/sqlite.js';
import type { ChangeKind, FeedState } from './recorder.js';

export interface FeedReader {
  read(feed: FeedState, after: number, maxBytes: number): FeedBatch;
  /** Bytes of the log after a tick. Reads all those rows. */
  bytesAfter(tick: number): number;
}

export function createFeedReader(database: Database): FeedReader {
  const selectRowFrom = database.prepare<{ id: number; tick: number | null }>(
    'SELECT id, tick FROM log WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const selectLastRow = database.prepare<{ id: number | null }>('SELECT max(id) AS id FROM log');
  const selectLog = database.prepare<LogRow & { tick: number; uri: URI }>(`
    SELECT log.tick, channels.uri, log.first_seq, log.last_seq, log.envelopes
    FROM log JOIN channels ON channels.id = log.channel_id WHERE log.id >= ? ORDER BY log.id
  `);
  const selectBefore = database.prepare<LogRow>(`
    SELECT log.first_seq, log.last_seq, log.envelopes FROM channels JOIN log ON log.channel_id = channels.id
    WHERE channels.uri = ? AND (log.tick IS NULL OR log.tick <= ?) ORDER BY log.first_seq
  `);
  const selectBytes = database.prepare<{ bytes: number | null }>(
    'SELECT sum(octet_length(envelopes)) AS bytes FROM log WHERE id >= ?',
  );
  const selectChanges = database.prepare<Change>(
    'SELECT kind, key, tick, whole FROM feed_changes WHERE tick > ? ORDER BY tick',
  );
  const selectChange = database.prepare<Change>(
    "SELECT kind, key, tick, whole FROM feed_changes WHERE kind = 'channel' AND key = ?",
  );
  const selectChannel = database.prepare<ChannelRow>(`
    SELECT channels.kind, sessions.uri AS session, channels.replayable_after, snapshots.seq, snapshots.json
    FROM channels JOIN sessions ON sessions.id = channels.session_id
    LEFT JOIN snapshots ON snapshots.channel_id = channels.id WHERE channels.uri = ?
  `);
  const selectSession = database.prepare<SessionRow>(
    'SELECT modified_at, summary, disposed_at FROM sessions WHERE uri = ? AND summary IS NOT NULL',
  );
  const selectDocument = database.prepare<{ json: string; session: URI | null }>(`
    SELECT documents.json, sessions.uri AS session FROM documents
    LEFT JOIN sessions ON sessions.id = documents.session_id WHERE collection = ? AND key = ?
  `);

  /** Rows are appended in the order of their ticks, so the first one after a tick is found by halving. */
  const firstRowAfter = (tick: number): number => {
    let low = 1;
    let high = (selectLastRow.get()?.id ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = selectRowFrom.get(middle);
      if (!row || (row.tick ?? 0) > tick) high = middle;
      else low = row.id + 1;
    }
    return low;
  };

  return {
    bytesAfter: (tick) => selectBytes.get(firstRowAfter(tick))?.bytes ?? 0,
    read: (feed, after, maxBytes) => {
      const batch = new Batch();
      const take = (change: Change) => {
        if (change.kind === 'channel') takeChannel(change);
        else if (change.kind === 'session') takeSession(change.key);
        else takeDocument(change.key);
      };
      const takeChannel = ({ key: uri, whole }: Change) => {
        const row = selectChannel.get(uri);
        if (!row) return; // purged
        const { kind, session, replayable_after: replayableAfter, seq, json } = row;
        const snapshot = seq === null || json === null ? undefined : { seq, json };
        batch.addChannel({ uri, kind, session, snapshot, replayableAfter, isWhole: whole === 1 });
        if (whole === 1) for (const entry of selectBefore.iterate(uri, feed.start)) batch.addLog(uri, entry);
      };
      const takeSession = (session: URI) => {
        const row = selectSession.get(session);
        if (row) batch.addSession(session, row);
      };
      const takeDocument = (change: string) => {
        const space = change.indexOf(' ');
        const [collection, key] = [change.slice(0, space) as DocumentCollection, change.slice(space + 1)];
        const row = selectDocument.get(collection, key);
        if (row && row.session === null) return;
        batch.addDocument({ collection, key, json: row?.json, ...(row?.session && { session: row.session }) });
      };

      const changes = peekable(selectChanges.iterate(after));
      const log = peekable(selectLog.iterate(firstRowAfter(after)));
      let upTo = after;
      while (batch.bytes < maxBytes || upTo === after) {
        const tick = Math.min(changes.peek()?.tick ?? Infinity, log.peek()?.tick ?? Infinity);
        if (tick === Infinity) {
          upTo = feed.last; // of the ticks in between, later ones have the newest values
          break;
        }
        for (; changes.peek()?.tick === tick; changes.next()) take(changes.peek() as Change);
        for (let row = log.peek(); row?.tick === tick; row = log.peek()) {
          batch.addLog(row.uri, row);
          log.next();
        }
        upTo = tick;
      }
      changes.end();
      log.end();
      for (const uri of batch.unnamedChannels()) {
        const change = selectChange.get(uri);
        if (change && change.tick > upTo) take(change); // it was made in these ticks, and changed again later
      }
      return {
        after,
        upTo,
        channels: batch.channels,
        log: batch.log,
        sessions: batch.sessions,
        documents: batch.documents,
      };
    },
  };
}

class Batch {
  readonly channels: FeedChannel[] = [];
  readonly log: LogPut[] = [];
  readonly sessions: FeedSession[] = [];
  readonly documents: DocumentPut[] = [];
  bytes = 0;

  addChannel(channel: FeedChannel): void {
    this.channels.push(channel);
    this.bytes += channel.snapshot?.json.length ?? 0;
  }

  addLog(channel: URI, { first_seq: firstSeq, last_seq: lastSeq, envelopes }: LogRow): void {
    this.log.push({ channel, firstSeq, lastSeq, envelopes });
    this.bytes += envelopes.length;
  }

  addSession(session: URI, { modified_at: modifiedAt, summary, disposed_at: disposedAt }: SessionRow): void {
    this.sessions.push({ session, modifiedAt, summary, disposedAt: disposedAt ?? undefined });
    this.bytes += summary.length;
  }

  addDocument(document: DocumentPut): void {
    this.documents.push(document);
    this.bytes += document.json?.length ?? 0;
  }

  /** Channels with log entries in the batch that are not in it themselves. */
  unnamedChannels(): ReadonlySet<URI> {
    const named = new Set(this.channels.map(({ uri }) => uri));
    return new Set(this.log.map(({ channel }) => channel).filter((uri) => !named.has(uri)));
  }
}

interface Change {
  readonly kind: ChangeKind;
  readonly key: string;
  readonly tick: number;
  readonly whole: number;
}

interface LogRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly envelopes: string;
}

interface ChannelRow {
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly replayable_after: number;
  readonly seq: number | null;
  readonly json: string | null;
}

interface SessionRow {
  readonly modified_at: number;
  readonly summary: string;
  readonly disposed_at: number | null;
}

function peekable<T>(iterator: IterableIterator<T>) {
  let current = iterator.next();
  return {
    peek: (): T | undefined => (current.done ? undefined : current.value),
    next: () => {
      current = iterator.next();
    },
    /** A statement that is not finished would hold up checkpoints. */
    end: () => void iterator.return?.(),
  };
}
