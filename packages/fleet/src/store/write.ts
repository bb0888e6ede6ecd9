import type { URI } from '@moorage/protocol';
import type { TransactionQueries, Value } from '../database/database.js';
import type { HostAppend } from './fleet-store.js';

/** An append that follows what is stored of its host. */
export interface Accepted {
  readonly append: HostAppend;
  /** How many feeds of the host there have been: log from an earlier one gives way. */
  readonly feedEpoch: number;
  /** Sessions of others. */
  readonly fenced: Set<URI>;
  /** What it names of those: sessions and channels. Nothing of them is written. */
  readonly blocked: Set<URI>;
}

/** Writes what several hosts shipped, with one statement for each table. They go to the server in this order, together with the commit. */
export function write(queries: TransactionQueries, accepted: readonly Accepted[]): void {
  const rows = rowsOf(accepted);
  writeChannels(queries, rows);
  insert(
    queries,
    `insert into log (channel, host, first_seq, last_seq, feed_epoch, envelopes)
     select channel.id, row.host, row.first_seq, row.last_seq, row.feed_epoch, row.envelopes
     from unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::int[], $6::text[])
       as row (uri, host, first_seq, last_seq, feed_epoch, envelopes)
     join channel on channel.uri = row.uri and channel.host = row.host
     on conflict do nothing`,
    rows.log,
  );
  insert(
    queries,
    `update session set modified_at = row.modified_at, summary = row.summary, title = nullif(row.title, ''),
       status = row.status, disposed_at = nullif(row.disposed_at, -1)
     from unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::int[], $6::float8[])
       as row (uri, modified_at, summary, title, status, disposed_at)
     where session.uri = row.uri`,
    rows.sessions,
  );
  insert(
    queries,
    `insert into document (host, collection, key, session, json)
     select row.host, row.collection, row.key, session.id, row.json
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as row (host, collection, key, uri, json)
     join session on session.uri = row.uri
     on conflict (host, collection, key) do update set session = excluded.session, json = excluded.json`,
    rows.documents,
  );
  insert(
    queries,
    `delete from document using unnest($1::text[], $2::text[], $3::text[]) as row (host, collection, key)
     where document.host = row.host and document.collection = row.collection and document.key = row.key`,
    rows.deletedDocuments,
  );
  insert(
    queries,
    `update shipped_host set feed = row.feed, feed_epoch = row.feed_epoch, position = row.position
     from unnest($1::text[], $2::text[], $3::int[], $4::int8[]) as row (host, feed, feed_epoch, position)
     where shipped_host.host = row.host`,
    accepted.map(({ append: { host, feed, batch }, feedEpoch }) => [host, feed, feedEpoch, batch.upTo]),
  );
}

function writeChannels(queries: TransactionQueries, { channels, whole, removed }: Rows): void {
  insert(
    queries,
    `insert into channel (uri, session, kind, host, feed_epoch, seq, json, replayable_after)
     select row.uri, session.id, row.kind, row.host, row.feed_epoch, nullif(row.seq, -1),
       case when row.seq >= 0 then row.json end, row.replayable_after
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int8[], $7::text[], $8::int8[])
       as row (uri, session, kind, host, feed_epoch, seq, json, replayable_after)
     join session on session.uri = row.session order by row.uri
     on conflict (uri) do update set
       session = excluded.session, kind = excluded.kind, host = excluded.host, feed_epoch = excluded.feed_epoch,
       seq = excluded.seq, json = excluded.json,
       -- The host may have trimmed its log meanwhile; here it is still complete.
       replayable_after = case
         when channel.host = excluded.host and channel.feed_epoch = excluded.feed_epoch
         then least(channel.replayable_after, excluded.replayable_after) else excluded.replayable_after end`,
    channels,
  );
  insert(
    queries,
    `delete from log using channel, unnest($1::text[], $2::text[], $3::int[]) as row (uri, host, feed_epoch)
     where channel.uri = row.uri and log.channel = channel.id and log.host = row.host and log.feed_epoch < row.feed_epoch`,
    whole,
  );
  insert(
    queries,
    'delete from log using channel, unnest($1::text[]) as row (uri) where channel.uri = row.uri and log.channel = channel.id',
    removed,
  );
}

type Row = readonly (string | number)[];

interface Rows {
  readonly channels: Row[];
  readonly whole: Row[];
  readonly removed: Row[];
  readonly log: Row[];
  readonly sessions: Row[];
  readonly documents: Row[];
  readonly deletedDocuments: Row[];
}

function rowsOf(accepted: readonly Accepted[]): Rows {
  const rows: Rows = {
    channels: [],
    whole: [],
    removed: [],
    log: [],
    sessions: [],
    documents: [],
    deletedDocuments: [],
  };
  for (const { append, feedEpoch, blocked } of accepted) {
    const { host, batch } = append;
    for (const { uri, kind, session, snapshot, replayableAfter, isWhole } of batch.channels) {
      if (blocked.has(session) || blocked.has(uri)) {
        blocked.add(uri);
        continue;
      }
      const { seq = -1, json = '' } = snapshot ?? {};
      rows.channels.push([uri, session, kind, host, feedEpoch, seq, json, replayableAfter]);
      if (isWhole) rows.whole.push([uri, host, feedEpoch]);
      if (!snapshot) rows.removed.push([uri]);
    }
    for (const { channel, firstSeq, lastSeq, envelopes } of batch.log) {
      if (!blocked.has(channel)) rows.log.push([channel, host, firstSeq, lastSeq, feedEpoch, envelopes]);
    }
    for (const { session, modifiedAt, summary, disposedAt } of batch.sessions) {
      if (blocked.has(session)) continue;
      const { title, status } = shownIn(summary);
      rows.sessions.push([session, modifiedAt, summary, title, status, disposedAt ?? -1]);
    }
    for (const { collection, key, session, json } of batch.documents) {
      if (json === undefined) rows.deletedDocuments.push([host, collection, key]);
      else if (session !== undefined && !blocked.has(session))
        rows.documents.push([host, collection, key, session, json]);
    }
  }
  return rows;
}

/** PostgreSQL's `int`. */
const MAX_INT = 0x7fffffff;

/** What sessions are found by. A damaged summary is kept as it is. */
function shownIn(summary: string): { readonly title: string; readonly status: number } {
  try {
    const { title, status } = JSON.parse(summary) as { title?: unknown; status?: unknown };
    return {
      title: typeof title === 'string' ? title.replaceAll('\0', '') : '',
      status: typeof status === 'number' && Number.isInteger(status) ? status & MAX_INT : 0,
    };
  } catch {
    return { title: '', status: 0 };
  }
}

/** Runs a statement over rows, given as one array for each column. */
function insert({ query, last }: TransactionQueries, statement: string, rows: readonly Row[]): void {
  const [first] = rows;
  if (!first) return;
  const columns = first.map((_, index) => rows.map((row) => row[index] as string | number));
  last(query(statement, columns as unknown as Value[]));
}
