import type { URI } from '@moorage/protocol';
import type { Queries, TransactionQueries } from '../database/database.js';
import { FIRST_EPOCH, type HostAppend, type Verdict } from './fleet-store.js';
import { type Accepted, write } from './write.js';

/**
 * Decides and stores, inside a transaction. Whoever stores for a host, or takes a session from it, holds the lock of its row;
 * what is read after that is what holds until the commit. That needs "read committed", where each statement sees anew.
 */
export async function append(queries: TransactionQueries, all: readonly HostAppend[]): Promise<readonly Verdict[]> {
  const hosts = new Map(all.map((one) => [one.host, one]));
  if (hosts.size !== all.length) throw new Error('one append of each host at a time');
  const rows = await lockHosts(queries, [...hosts.keys()].sort());
  const verdicts = new Map<string, Verdict>();
  const accepted: Accepted[] = [];
  for (const one of all) {
    const decided = await decide(queries, one, rows.get(one.host));
    if ('verdict' in decided) verdicts.set(one.host, decided);
    else accepted.push({ append: one, feedEpoch: decided.feedEpoch, fenced: new Set(), blocked: new Set() });
  }
  await findFenced(queries, accepted);
  write(queries, accepted);
  for (const { append: one, fenced } of accepted) {
    const position = one.batch.upTo;
    const verdict: Verdict =
      fenced.size > 0 ? { verdict: 'fenced', position, sessions: [...fenced] } : { verdict: 'ok', position };
    verdicts.set(one.host, verdict);
  }
  return all.map(({ host }) => verdicts.get(host) ?? UNKNOWN);
}

const UNKNOWN: Verdict = { verdict: 'refused', reason: 'unknown' };

interface HostRow {
  readonly host: string;
  readonly feed: string | null;
  readonly feed_epoch: number;
  readonly position: number;
}

/** In order, so that two keepers never wait for each other. Hosts that are not members have no row. */
async function lockHosts({ query }: Queries, hosts: readonly string[]): Promise<ReadonlyMap<string, HostRow>> {
  const lock = () =>
    query<HostRow>(
      `select shipped_host.host, feed, feed_epoch, position::float8 as position
       from shipped_host join host on host.id = shipped_host.host
       where shipped_host.host = any($1::text[]) and revoked_at is null order by shipped_host.host for update of shipped_host`,
      [hosts],
    );
  let rows = await lock();
  if (rows.length < hosts.length) {
    await query(
      `insert into shipped_host (host)
       select id from host where id = any($1::text[]) and revoked_at is null order by id on conflict do nothing`,
      [hosts],
    );
    rows = await lock();
  }
  return new Map(rows.map((row) => [row.host, row]));
}

async function decide(
  { query }: Queries,
  { host, feed, start, batch }: HostAppend,
  row: HostRow | undefined,
): Promise<Verdict | { readonly feedEpoch: number }> {
  if (!row) return UNKNOWN;
  if (row.feed === feed) {
    if (batch.after === row.position) return { feedEpoch: row.feed_epoch };
    return { verdict: batch.upTo <= row.position ? 'known' : 'gap', position: row.position };
  }
  const replaced = await query('select 1 from replaced_feed where host = $1 and feed = $2', [host, feed]);
  if (replaced.length > 0) return { verdict: 'refused', reason: 'replaced' };
  if (batch.after !== start) return { verdict: 'gap', position: start };
  if (row.feed !== null) await query('insert into replaced_feed values ($1, $2)', [host, row.feed]);
  return { feedEpoch: row.feed_epoch + 1 };
}

/** Finds the sessions that a host may not write to: those it names, and those of the channels that it names. */
async function findFenced({ query }: Queries, accepted: readonly Accepted[]): Promise<void> {
  const named = accepted.map(({ append: { host, batch } }) => ({ host, sessions: sessionsOf(batch) }));
  const made = new Map<URI, string>();
  for (const { host, sessions } of named) for (const uri of sessions) if (!made.has(uri)) made.set(uri, host);
  const channels = new Set(
    accepted.flatMap(({ append: { batch } }) => [
      ...batch.channels.map(({ uri }) => uri),
      ...batch.log.map(({ channel }) => channel),
    ]),
  );
  const readOwners = () =>
    query<Owner>(
      `select uri as name, uri as session, host, epoch from session where uri = any($1::text[])
       union all
       select channel.uri, session.uri, session.host, session.epoch
       from channel join session on session.id = channel.session where channel.uri = any($2::text[])`,
      [[...made.keys()], [...channels]],
    );
  let owners = await readOwners();
  for (const { name, session } of owners) if (name === session) made.delete(name);
  if (made.size > 0) {
    const uris = [...made.keys()].sort();
    // Waits for another transaction that is just making the same session: then that one has it.
    await query(
      `insert into session (uri, host, epoch)
       select uri, host, ${FIRST_EPOCH} from unnest($1::text[], $2::text[]) as made (uri, host)
       order by uri on conflict do nothing`,
      [uris, uris.map((uri) => made.get(uri) ?? '')],
    );
    owners = [...owners, ...(await readOwners())];
  }
  const ownersOf = new Map<URI, Owner[]>();
  for (const owner of owners) ownersOf.set(owner.name, [...(ownersOf.get(owner.name) ?? []), owner]);
  for (const { append: one, fenced, blocked } of accepted) {
    const names = [...sessionsOf(one.batch), ...one.batch.channels.map(({ uri }) => uri)];
    for (const name of [...names, ...one.batch.log.map(({ channel }) => channel)]) {
      for (const { session, host, epoch } of ownersOf.get(name) ?? []) {
        const isOwn = host === one.host && epoch === (one.epochs[session] ?? FIRST_EPOCH);
        if (isOwn) continue;
        fenced.add(session);
        blocked.add(name);
      }
    }
  }
}

interface Owner {
  readonly name: URI;
  readonly session: URI;
  readonly host: string;
  readonly epoch: number;
}

function sessionsOf({ channels, sessions, documents }: HostAppend['batch']): ReadonlySet<URI> {
  const ofDocuments = documents.flatMap(({ session, json }) => (session && json !== undefined ? [session] : []));
  return new Set([...channels, ...sessions].map(({ session }) => session).concat(ofDocuments));
}
