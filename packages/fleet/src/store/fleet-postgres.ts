import { envelopesAfter } from '@moorage/host';
import type { ChannelKind, URI } from '@moorage/protocol';
import type { Blobs } from '../blobs/blobs.js';
import type { Database, Value } from '../database/database.js';
import { append } from './append.js';
import { createFiles } from './files.js';
import type {
  FleetChannels,
  FleetParts,
  FleetSessions,
  FleetStore,
  SessionCursor,
  SessionQuery,
} from './fleet-store.js';
import { MAX_INLINE_BYTES, removeUnusedBlobs, wholeDocument, withoutLargeDocuments } from './large-documents.js';
import { createMoves } from './moves.js';

export interface FleetStoreOptions {
  /** For contents that are too large for the database. Without, they are there all the same. */
  readonly blobs?: Blobs | undefined;
  readonly maxInlineBytes?: number;
}

/** The fleet's store in PostgreSQL 14 or newer, migrated with FLEET_TABLES. */
export function createPostgresFleetStore(database: Database, options: FleetStoreOptions = {}): FleetStore {
  const { blobs, maxInlineBytes = MAX_INLINE_BYTES } = options;
  const moves = createMoves(database, blobs);
  const files = createFiles(database, blobs, maxInlineBytes);
  return {
    append: async (all) => {
      if (all.length === 0) return [];
      const lighter = blobs ? await withoutLargeDocuments(database, blobs, all, maxInlineBytes) : all;
      return database.transaction((inside) => append(inside, lighter));
    },
    take: moves.take,
    moves,
    channels: createChannels(database),
    sessions: createSessions(database, blobs),
    parts: createParts(database),
    files,
    retain: async ({ disposedBefore, loggedBefore }) => {
      const retained = await database.transaction(async ({ query }) => {
        const [mine] = await query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [RETAINING]);
        if (!mine?.locked) return { sessions: 0, logEntries: 0 }; // another gateway is at it
        const sessions = await query('delete from session where disposed_at < $1::float8 returning id', [
          disposedBefore,
        ]);
        const logged = await query(
          `with gone as (
             delete from log using channel
             where channel.id = log.channel and log.stored_at < to_timestamp($1::float8 / 1000)
               and (log.host <> channel.host or log.last_seq <= channel.seq)
             returning log.channel, log.last_seq, log.host
           ), raised as (
             update channel set trimmed_up_to = greatest(trimmed_up_to, up_to)
             from (select channel as id, host, max(last_seq) as up_to from gone group by channel, host) as of
             where of.id = channel.id and of.host = channel.host
           )
           select 1 from gone`,
          [loggedBefore],
        );
        await query("delete from shipped_part where stored_at < now() - interval '1 hour'");
        return { sessions: sessions.length, logEntries: logged.length };
      });
      await files.removeUnused();
      if (blobs) await removeUnusedBlobs(database, blobs);
      return retained;
    },
  };
}

/** Any number that nothing else in the database locks. */
const RETAINING = 6_866_721;

function createChannels({ query }: Database): FleetChannels {
  return {
    read: async (uri) => {
      // One statement, so that snapshot and log are of the same moment.
      const rows = await query<ChannelRow & { last_seq: number | null; envelopes: string | null }>(
        `select channel.host, channel.kind, session.uri as session, channel.seq::float8 as seq, channel.json,
           log.last_seq::float8 as last_seq, log.first_seq::float8 as first_seq, log.envelopes
         from channel join session on session.id = channel.session
         left join log on log.channel = channel.id and log.host = channel.host and log.last_seq > channel.seq
         where channel.uri = $1 and channel.json is not null and session.disposed_at is null
         order by log.first_seq`,
        [uri],
      );
      const [first] = rows;
      if (!first) return undefined;
      const { host, kind, session, seq, json } = first;
      const tail = rows.flatMap((row) => (row.envelopes === null ? [] : [after(row.envelopes, row.first_seq, seq)]));
      return { host, kind, session, snapshot: { seq, json }, tail: tail.join(',') };
    },
    replay: async (host, uris, afterSeq) => {
      const rows = await query<{ uri: URI; first_seq: number | null; envelopes: string | null }>(
        `select channel.uri, log.first_seq::float8 as first_seq, log.envelopes
         from channel join session on session.id = channel.session
         left join log on log.channel = channel.id and log.host = channel.host and log.last_seq > $3::int8
         where channel.uri = any($1::text[]) and channel.host = $2 and channel.json is not null
           and session.disposed_at is null and greatest(channel.replayable_after, channel.trimmed_up_to) <= $3::int8
         order by channel.id, log.first_seq`,
        [uris, host, afterSeq],
      );
      const texts = new Map<URI, string[]>();
      for (const { uri, first_seq, envelopes } of rows) {
        const of = texts.get(uri) ?? [];
        texts.set(uri, of);
        if (envelopes !== null) of.push(after(envelopes, first_seq, afterSeq));
      }
      return new Map(uris.map((uri) => [uri, texts.get(uri)?.join(',')]));
    },
  };
}

/** Usually all of an entry is after the number. */
function after(envelopes: string, firstSeq: number | null, seq: number): string {
  return (firstSeq ?? 0) > seq ? envelopes : envelopesAfter(envelopes, seq);
}

interface ChannelRow {
  readonly host: string;
  readonly kind: ChannelKind;
  readonly session: URI;
  readonly seq: number;
  readonly json: string;
  readonly first_seq: number | null;
}

function createParts({ query, transaction }: Database): FleetParts {
  return {
    put: async (host, batch, number, bytes) => {
      await query(
        `insert into shipped_part (host, batch, number, bytes) values ($1, $2, $3::int, $4::bytea)
         on conflict (host, batch, number) do update set bytes = excluded.bytes`,
        [host, batch, number, bytes],
      );
    },
    take: (host, batch, before) =>
      transaction(async (inside) => {
        const rows = await inside.query<{ bytes: Uint8Array }>(
          'select bytes from shipped_part where host = $1 and batch = $2 and number < $3::int order by number',
          [host, batch, before],
        );
        // Others of its kind will never be complete: a host ships one at a time.
        await inside.query(
          `delete from shipped_part where host = $1 and starts_with(batch, 'files ') = starts_with($2, 'files ')`,
          [host, batch],
        );
        return rows.length === before ? Buffer.concat(rows.map(({ bytes }) => bytes)) : undefined;
      }),
  };
}

function createSessions({ query }: Database, blobs: Blobs | undefined): FleetSessions {
  return {
    page: async (wanted, cursor) => {
      const { text, values } = pageQuery(wanted, cursor);
      const rows = await query<SessionRow>(text, values);
      const shown = rows.slice(0, wanted.limit).map(({ id, host, epoch, modified_at: modifiedAt, summary }) => ({
        host,
        epoch,
        summary,
        cursor: { modifiedAt, id },
      }));
      return { sessions: shown, next: rows.length > shown.length ? shown.at(-1)?.cursor : undefined };
    },
    owner: async (session) =>
      (await query<{ host: string; epoch: number }>('select host, epoch from session where uri = $1', [session]))[0],
    documents: async (session) => {
      const rows = await query<{ json: string }>(
        `select json from document join session on session.id = document.session and session.host = document.host
         where session.uri = $1 order by collection, key`,
        [session],
      );
      return Promise.all(rows.map(({ json }) => wholeDocument(json, blobs)));
    },
    document: async (host, collection, key) => {
      const rows = await query<{ json: string }>(
        `select json from document join session on session.id = document.session and session.host = document.host
         where document.host = $1 and collection = $2 and key = $3 and disposed_at is null`,
        [host, collection, key],
      );
      return rows[0] && wholeDocument(rows[0].json, blobs);
    },
  };
}

interface SessionRow {
  readonly id: number;
  readonly host: string;
  readonly epoch: number;
  readonly modified_at: number;
  readonly summary: string;
}

/** Up to so many hosts, the newest sessions of each are looked up by the index of hosts. For more, those of all are gone through. */
const MAX_LOOKED_UP = 100;

function pageQuery(wanted: SessionQuery, cursor: SessionCursor | undefined): { text: string; values: Value[] } {
  const { hosts = [] } = wanted;
  const isByHost = hosts.length > 1 && hosts.length <= MAX_LOOKED_UP;
  const { where, values } = conditions(wanted, isByHost ? 'host = wanted.id' : undefined);
  const placed = (value: Value) => `$${values.push(value)}`;
  if (cursor) where.push(`(modified_at, id) < (${placed(cursor.modifiedAt)}::float8, ${placed(cursor.id)}::int8)`);
  const newest = `order by modified_at desc, id desc limit ${placed(wanted.limit + 1)}::int`;
  const rows = `select id::float8 as id, host, epoch, modified_at, summary from session
    where ${where.join(' and ')} order by session.modified_at desc, session.id desc limit $${values.length}::int`;
  if (!isByHost) return { text: rows, values };
  const text = `select found.* from unnest(${placed(hosts)}::text[]) as wanted (id), lateral (${rows}) as found ${newest}`;
  return { text, values };
}

function conditions(
  { hosts, status, title, labels }: SessionQuery,
  ofHost: string | undefined,
): { where: string[]; values: Value[] } {
  const where = ['disposed_at is null', 'summary is not null'];
  const values: Value[] = [];
  const placed = (value: Value) => `$${values.push(value)}`;
  if (ofHost) where.push(ofHost);
  else if (hosts?.length === 1) where.push(`host = ${placed(hosts[0] ?? '')}`);
  else if (hosts) where.push(`host = any(${placed(hosts)}::text[])`);
  if (status !== undefined) {
    where.push(`(status & ${placed(status)}::int) <> 0`);
    if ((status & IDLE) === 0) where.push('(status & 31) <> 1'); // which there is an index for
  }
  if (title) where.push(`lower(title) like ${placed(`%${title.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)}`);
  if (labels?.length) where.push(`host in (select id from host where labels @> ${placed(labels)}::text[])`);
  return { where, values };
}

const IDLE = 1;
