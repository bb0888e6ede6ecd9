import { createHash } from 'node:crypto';
import type { NotKept } from '@moorage/host';
import type { Blobs } from '../blobs/blobs.js';
import type { Database } from '../database/database.js';
import { entriesOf, type KeptObject, unpackObject } from '../files/objects.js';
import { objectsIn } from '../files/records.js';
import type { FleetFiles } from './fleet-store.js';

/** Bytes that a row takes besides its content. */
const ROW_BYTES = 120;

/** Rows that are read at once when looking for what nobody needs. */
const READ_AT_ONCE = 500;

/** The files of hosts in PostgreSQL, each once for its host; contents beyond a bound in the blob store, if there is one. */
export function createFiles(database: Database, blobs: Blobs | undefined, maxInlineBytes: number): FleetFiles {
  const { query, transaction } = database;
  const putBlob = async (bytes: Uint8Array): Promise<string> => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    // Noted first: what was noted within a day is not removed, even if no row has it yet.
    await query('insert into blob (hash) values ($1) on conflict (hash) do update set stored_at = now()', [hash]);
    await blobs?.put(hash, bytes);
    return hash;
  };
  const get: FleetFiles['get'] = async (host, ids) => {
    const rows = await query<ObjectRow>(
      `select id, type, size::float8 as size, encode(content, 'base64') as content, blob, not_kept
       from file_object where host = $1 and id = any($2::text[])`,
      [host, ids],
    );
    return Promise.all(rows.map((row) => wholeObject(row, blobs)));
  };
  return {
    lacking: async (host, ids) => {
      const rows = await query<{ id: string; is_old: boolean }>(
        `select id, used_at < now() - interval '1 hour' as is_old from file_object
         where host = $1 and id = any($2::text[])`,
        [host, ids],
      );
      const old = rows.filter((row) => row.is_old).map(({ id }) => id);
      if (old.length > 0)
        await query('update file_object set used_at = now() where host = $1 and id = any($2::text[])', [host, old]);
      const there = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !there.has(id));
    },
    put: async (host, objects, maxHostBytes) => {
      const rows = await Promise.all(
        objects.map(async ({ id, type, size, deflated, notKept }) => {
          const isLarge = blobs !== undefined && deflated.length > maxInlineBytes;
          return {
            id,
            type,
            size,
            content: isLarge ? '' : Buffer.from(deflated).toString('base64'),
            blob: isLarge ? await putBlob(deflated) : '',
            bytes: deflated.length + ROW_BYTES,
            notKept: notKept ? JSON.stringify(notKept) : '',
          };
        }),
      );
      return transaction(async (inside) => {
        await inside.query(
          `insert into file_host (host) select id from host where id = $1 and revoked_at is null on conflict do nothing`,
          [host],
        );
        const [kept] = await inside.query<{ bytes: number }>(
          `select bytes::float8 as bytes from file_host join host on host.id = file_host.host
           where file_host.host = $1 and revoked_at is null for update of file_host`,
          [host],
        );
        if (!kept) throw new Error(`${host} is not a member of the fleet`);
        const added = await inside.query<{ bytes: number }>(
          `insert into file_object (host, id, type, size, content, blob, bytes, not_kept)
           select $1, id, type, size, decode(content, 'base64'), nullif(blob, ''), bytes, nullif(not_kept, '')
           from unnest($2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::int[], $8::text[])
             as row (id, type, size, content, blob, bytes, not_kept)
           on conflict do nothing returning bytes::float8 as bytes`,
          [
            host,
            rows.map(({ id }) => id),
            rows.map(({ type }) => type),
            rows.map(({ size }) => size),
            rows.map(({ content }) => content),
            rows.map(({ blob }) => blob),
            rows.map(({ bytes }) => bytes),
            rows.map(({ notKept }) => notKept),
          ],
        );
        const sum = kept.bytes + added.reduce((all, { bytes }) => all + bytes, 0);
        if (sum > maxHostBytes) throw new Full();
        await inside.query('update file_host set bytes = $2::float8 where host = $1', [host, sum]);
        return true;
      }).catch((error: unknown) => {
        if (error instanceof Full) return false;
        throw error;
      });
    },
    get,
    removeUnused: async () => {
      // It reads all folders of a host, so once a day.
      const hosts = await query<{ host: string }>(
        `update file_host set swept_at = now() where swept_at < now() - interval '1 day' returning host`,
      );
      let removed = 0;
      const failures: unknown[] = [];
      for (const { host } of hosts) {
        try {
          removed += await removeUnusedOf(database, get, host);
        } catch (error) {
          failures.push(error); // what one host has stored must not keep what others had
        }
      }
      if (failures.length > 0) throw failures[0];
      return removed;
    },
  };
}

class Full extends Error {}

interface ObjectRow {
  readonly id: string;
  readonly type: KeptObject['type'];
  readonly size: number;
  readonly content: string;
  readonly blob: string | null;
  readonly not_kept: string | null;
}

async function wholeObject(
  { id, type, size, content, blob, not_kept }: ObjectRow,
  blobs: Blobs | undefined,
): Promise<KeptObject> {
  const notKept = not_kept === null ? undefined : (JSON.parse(not_kept) as NotKept);
  if (blob === null) return { id, type, size, deflated: Buffer.from(content, 'base64'), notKept };
  const deflated = await blobs?.get(blob);
  if (!deflated) throw new Error('the blob store does not have a file that it was given: check --blobs');
  return { id, type, size, deflated, notKept };
}

/**
 * Removes what no record of the host's sessions leads to, and nobody has asked for within a day. What was asked for leads
 * further, too: a record of it may be on its way.
 */
async function removeUnusedOf({ query, transaction }: Database, get: FleetFiles['get'], host: string): Promise<number> {
  const [{ now } = { now: '' }] = await query<{ now: string }>(`select (now() - interval '1 day')::text as now`);
  const used = new Set<string>();
  const level: string[] = [];
  const use = (ids: readonly string[]) => {
    for (const id of ids) if (!used.has(id) && used.add(id)) level.push(id);
  };
  use(
    (
      await query<{ id: string }>('select id from file_object where host = $1 and used_at >= $2::timestamptz', [
        host,
        now,
      ])
    ).map(({ id }) => id),
  );
  let after = '';
  for (;;) {
    const rows = await query<{ key: string; json: string }>(
      `select key, json from document where host = $1 and collection = 'changes' and key > $2
       order by key limit ${READ_AT_ONCE}`,
      [host, after],
    );
    for (const { json } of rows) use(objectsIn(json));
    after = rows.at(-1)?.key ?? '';
    if (rows.length < READ_AT_ONCE) break;
  }
  while (level.length > 0) {
    const some = level.splice(0, READ_AT_ONCE);
    const folders = await query<{ id: string }>(
      `select id from file_object where host = $1 and id = any($2::text[]) and type = 'tree'`,
      [host, some],
    );
    for (const folder of await get(
      host,
      folders.map(({ id }) => id),
    )) {
      const object = await unpackObject(folder);
      if (object) use(entriesOf(object.content, folder.id.length).map(({ id }) => id));
    }
  }
  let removed = 0;
  after = '';
  for (;;) {
    const old = await query<{ id: string }>(
      `select id from file_object where host = $1 and id > $2 order by id limit ${READ_AT_ONCE}`,
      [host, after],
    );
    const gone = old.map(({ id }) => id).filter((id) => !used.has(id));
    removed += await transaction(async (inside) => {
      await inside.query('select host from file_host where host = $1 for update', [host]);
      const rows = await inside.query<{ bytes: number }>(
        `delete from file_object where host = $1 and id = any($2::text[]) and used_at < $3::timestamptz
         returning bytes::float8 as bytes`,
        [host, gone, now],
      );
      const sum = rows.reduce((all, { bytes }) => all + bytes, 0);
      await inside.query('update file_host set bytes = bytes - $2::float8 where host = $1', [host, sum]);
      return rows.length;
    });
    after = old.at(-1)?.id ?? '';
    if (old.length < READ_AT_ONCE) return removed;
  }
}
