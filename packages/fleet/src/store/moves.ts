import type { StoredDocument } from '@moorage/host';
import type { ChannelKind, URI } from '@moorage/protocol';
import type { Blobs } from '../blobs/blobs.js';
import type { Database, Queries } from '../database/database.js';
import type { FleetMoves, FleetStore, TakenSession } from './fleet-store.js';
import { wholeDocument } from './large-documents.js';

/** Characters of documents that are read at once; one that is longer comes alone. */
const PAGE_CHARS = 4 * 1024 * 1024;

const PAGE_ROWS = 500;

export function createMoves(database: Database, blobs: Blobs | undefined): FleetMoves & Pick<FleetStore, 'take'> {
  const { query, transaction } = database;
  return {
    channels: (session) =>
      query<{ uri: URI; kind: ChannelKind }>(
        `select channel.uri, kind from channel join session on session.id = channel.session
         where session.uri = $1 and channel.json is not null and disposed_at is null order by channel.id`,
        [session],
      ),
    documents: async (session, after) => {
      const rows = await query<{ collection: string; key: string; json: string; chars: number }>(
        `select collection, key, json, length(json)::float8 as chars
         from document join session on session.id = document.session and session.host = document.host
         where session.uri = $1 and (collection, key) > ($2, $3) order by collection, key limit ${PAGE_ROWS}`,
        [session, after?.collection ?? '', after?.key ?? ''],
      );
      let chars = 0;
      const page = rows.filter((row, index) => {
        chars += row.chars;
        return index === 0 || chars <= PAGE_CHARS;
      });
      const documents = await Promise.all(
        page.map(async ({ collection, key, json }) => ({ collection, key, json: await wholeDocument(json, blobs) })),
      );
      return documents as readonly StoredDocument[];
    },
    take: (session, by, expected) => transaction((inside) => take(inside, session, by, expected)),
    takenBy: async (session, host) => {
      const rows = await query<{ from: string; epoch: number; upTo: number }>(
        `select from_host as from, taken.epoch, up_to as "upTo" from taken_session as taken join session on session.uri = taken.session and session.epoch = taken.epoch
         where taken.session = $1 and session.host = $2 and to_host = $2`,
        [session, host],
      );
      return rows[0];
    },
    takenFrom: (host) =>
      query<{ session: URI; upTo: number }>(
        `select session, max(up_to) as "upTo" from taken_session where from_host = $1 and not settled group by session`,
        [host],
      ),
    settled: async (host, session) => {
      await query('update taken_session set settled = true where from_host = $1 and session = $2', [host, session]);
    },
    lease: (host, milliseconds) =>
      transaction(async (inside) => {
        // Who takes a session of the host locks the same row: it is decided before or after.
        await inside.query('insert into shipped_host (host) values ($1) on conflict (host) do nothing', [host]);
        await inside.query('select host from shipped_host where host = $1 for update', [host]);
        const rows = await inside.query(
          `update shipped_host set leased_until = clock_timestamp() + $2::float8 * interval '1 millisecond'
           where host = $1 and ($2::float8 = 0 or not exists (
             select 1 from taken_session where from_host = $1 and not settled))
           returning host`,
          [host, milliseconds],
        );
        return rows.length > 0;
      }),
    leasedFor: (host) => leasedFor(query, host),
  };
}

async function leasedFor(query: Queries['query'], host: string): Promise<number> {
  const [row] = await query<{ left: number | null }>(
    `select (extract(epoch from leased_until - clock_timestamp()) * 1000)::float8 as left from shipped_host where host = $1`,
    [host],
  );
  return Math.max(0, row?.left ?? 0);
}

/** Waits for what the owner is storing, and lets it store nothing until this is decided. */
async function take(
  { query }: Queries,
  session: URI,
  by: string,
  expected: number,
): Promise<TakenSession | 'changed' | 'leased'> {
  const [owner] = await query<{ host: string }>('select host from session where uri = $1', [session]);
  if (!owner) return 'changed';
  await query('select host from shipped_host where host = $1 for update', [owner.host]);
  if ((await leasedFor(query, owner.host)) > 0) return 'leased';
  const [taken] = await query<{ id: string; epoch: number }>(
    `update session set host = $2, epoch = epoch + 1
     where uri = $1 and host = $3 and epoch = $4::int and exists (select 1 from host where id = $2 and revoked_at is null)
     returning id::text as id, epoch`,
    [session, by, owner.host, expected],
  );
  if (!taken) return 'changed';
  // What its old host did after this is nowhere else.
  const [row] = await query<{ upTo: number }>(
    `insert into taken_session (session, epoch, from_host, to_host, up_to)
     select $1, $2::int, $3, $4, coalesce(max(greatest(
       coalesce(channel.seq, 0),
       coalesce((select max(last_seq) from log where log.channel = channel.id and log.host = channel.host), 0))), 0)
     from channel where channel.session = $5::int8 and channel.host = $3
     returning up_to as "upTo"`,
    [session, taken.epoch, owner.host, by, taken.id],
  );
  await query('update document set host = $2 where session = $1::int8 and host = $3', [taken.id, by, owner.host]);
  return { epoch: taken.epoch, upTo: row?.upTo ?? 0 };
}
