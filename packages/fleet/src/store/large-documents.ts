import { createHash } from 'node:crypto';
import type { Blobs } from '../blobs/blobs.js';
import type { Database, Queries } from '../database/database.js';
import type { HostAppend } from './fleet-store.js';

/** Bytes of a document that are kept in the database; beyond, in the blob store if there is one. */
export const MAX_INLINE_BYTES = 1024 * 1024;

/** How a row of the database names a document that is kept elsewhere: no JSON text begins so, and hosts may send none that does. */
export const MARK = 'blob:';

/** Puts large documents into the blob store, and gives the appends with their names instead. Nothing is stored twice. */
export async function withoutLargeDocuments(
  { query }: Queries,
  blobs: Blobs,
  all: readonly HostAppend[],
  maxBytes: number,
): Promise<readonly HostAppend[]> {
  const put = async (json: string): Promise<string> => {
    const bytes = Buffer.from(json);
    const hash = createHash('sha256').update(bytes).digest('hex');
    // Noted first: what was noted within a day is not removed, even if no document has it yet.
    await query('insert into blob (hash) values ($1) on conflict (hash) do update set stored_at = now()', [hash]);
    await blobs.put(hash, bytes);
    return `${MARK}${hash}`;
  };
  return Promise.all(
    all.map(async (append) => {
      const { documents } = append.batch;
      if (!documents.some(({ json }) => isLarge(json, maxBytes))) return append;
      const lighter = await Promise.all(
        documents.map(async (one) => (isLarge(one.json, maxBytes) ? { ...one, json: await put(one.json) } : one)),
      );
      return { ...append, batch: { ...append.batch, documents: lighter } };
    }),
  );
}

function isLarge(json: string | undefined, maxBytes: number): json is string {
  return json !== undefined && json.length > maxBytes;
}

/** The document itself. Throws when the blob store does not have it, or something else under its name. */
export async function wholeDocument(json: string, blobs: Blobs | undefined): Promise<string> {
  if (!json.startsWith(MARK)) return json;
  const hash = json.slice(MARK.length);
  const bytes = await blobs?.get(hash);
  if (!bytes) throw new Error('the blob store does not have a content that it was given: check --blobs');
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Error('the blob store has another content under the name of one that it was given');
  return Buffer.from(bytes).toString('utf8');
}

/** Removes blobs that no document has. Nobody can note one of them again before that is decided. */
export async function removeUnusedBlobs(database: Database, blobs: Blobs): Promise<number> {
  return database.transaction(async ({ query }) => {
    const unused = await query<{ hash: string }>(
      `delete from blob where stored_at < now() - interval '1 day'
         and not exists (select 1 from document where json like '${MARK}%' and json = '${MARK}' || hash)
         and not exists (select 1 from file_object where blob = hash) returning hash`,
    );
    for (const { hash } of unused) await blobs.delete(hash);
    return unused.length;
  });
}
