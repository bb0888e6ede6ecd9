import { silentLog } from '@moorage/host';
import { type ListSessionsParams, ROOT_URI, type SessionSummary } from '@moorage/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FleetSessions } from '../../packages/fleet/src/gateway/fleet-sessions.js';
import { sessionListing } from '../../packages/fleet/src/gateway/session-listing.js';
import type { FleetStore } from '../../packages/fleet/src/store/fleet-store.js';

const LIVE = { id: 'live', name: 'north', labels: ['gpu'] };
const AWAY = { id: 'away', name: 'south', labels: [] };
const hosts = new Map([LIVE, AWAY].map((host) => [host.id, host]));

/** By day and by a number that tells sessions of the same day apart. */
const summaryOf = (resource: string, day: number, status = 1) =>
  ({
    resource,
    provider: 'demo',
    title: `Title of ${resource}`,
    status,
    modifiedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  }) as SessionSummary;

/** A list of the sessions of a host that is there, and of what is kept of one that is away. */
function listingOf(live: readonly SessionSummary[], kept: readonly SessionSummary[], page = pageOf(kept)) {
  const ignore = () => {};
  const sessions = new FleetSessions(() => ({
    setAgents: ignore,
    setActiveSessions: ignore,
    sessionAdded: ignore,
    sessionChanged: ignore,
    sessionRemoved: ignore,
  }));
  sessions.set(LIVE, [], live);
  const store = { page } as FleetStore['sessions'];
  const list = sessionListing({
    live: sessions,
    kept: store,
    hosts: () => hosts,
    isHere: (id) => id === 'live',
    log: silentLog,
  });
  return async (params: Partial<ListSessionsParams> = {}) => {
    const { items, nextCursor } = await list({ channel: ROOT_URI, ...params });
    return { items: items.map((text) => JSON.parse(text) as SessionSummary), nextCursor };
  };
}

/** As the fleet's store pages: newest first, then the one that came last. */
function pageOf(kept: readonly SessionSummary[]): FleetStore['sessions']['page'] {
  const rows = kept
    .map((summary, id) => ({ summary, cursor: { modifiedAt: Date.parse(summary.modifiedAt), id } }))
    .sort((a, b) => b.cursor.modifiedAt - a.cursor.modifiedAt || b.cursor.id - a.cursor.id);
  return async ({ limit }, after) => {
    const isAfter = ({ modifiedAt, id }: { modifiedAt: number; id: number }) =>
      !after || modifiedAt < after.modifiedAt || (modifiedAt === after.modifiedAt && id < after.id);
    const left = rows.filter(({ cursor }) => isAfter(cursor));
    const sessions = left
      .slice(0, limit)
      .map(({ summary, cursor }) => ({ host: 'away', epoch: 1, summary: JSON.stringify(summary), cursor }));
    return { sessions, next: left.length > limit ? sessions.at(-1)?.cursor : undefined };
  };
}

const days = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 });

it('gives every session once, newest first, in pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(days, days, fc.integer({ min: 1, max: 7 }), async (liveDays, keptDays, limit) => {
      const live = liveDays.map((day, index) => summaryOf(`live-${index}`, day));
      const kept = keptDays.map((day, index) => summaryOf(`kept-${index}`, day));
      const list = listingOf(live, kept);
      const seen: SessionSummary[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ limit, ...(cursor !== undefined && { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen.map(({ resource }) => resource).sort()).toEqual([...live, ...kept].map((one) => one.resource).sort());
      const times = seen.map(({ modifiedAt }) => modifiedAt);
      expect(times).toEqual(times.toSorted().reverse());
      expect((await list()).items).toHaveLength(live.length + kept.length);
    }),
  );
});

it('says which are away, and shows one that a host has live only there', async () => {
  const list = listingOf([summaryOf('moved', 3)], [summaryOf('moved', 2), summaryOf('left', 1)]);
  const { items } = await list();
  expect(items.map(({ resource, _meta }) => [resource, _meta?.['moorage.host']])).toEqual([
    ['moved', { id: 'live', name: 'north', address: '/hosts/live/' }],
    ['left', { id: 'away', name: 'south', address: '/hosts/away/', isAway: true }],
  ]);
});

it('filters those that are there as the store filters the others', async () => {
  const asked: unknown[] = [];
  const list = listingOf([summaryOf('One', 1, 8), summaryOf('Two', 2)], [], async (query) => {
    asked.push(query);
    return { sessions: [], next: undefined };
  });
  const found = async (filter: object) =>
    (await list({ limit: 5, _meta: { 'moorage.filter': filter } })).items.map(({ resource }) => resource);
  expect(await found({ status: 8 })).toEqual(['One']);
  expect(await found({ title: 'OF TW' })).toEqual(['Two']);
  expect(asked).toEqual([
    { limit: 5, hosts: ['away'], status: 8 },
    { limit: 5, hosts: ['away'], title: 'OF TW' },
  ]);
  expect(await found({ hosts: ['south'] })).toEqual([]);
  expect(await found({ hosts: ['north'] })).toEqual(['Two', 'One']);
  expect(await found({ labels: ['gpu'] })).toEqual(['Two', 'One']);
});

it('lists those that are there while the store is down', async () => {
  const list = listingOf([summaryOf('here', 1)], [], () => Promise.reject(new Error('down')));
  expect(await list()).toMatchObject({ items: [{ resource: 'here' }], nextCursor: undefined });
});

it('leaves out what cannot be read, and refuses what makes no sense', async () => {
  const cursor = { modifiedAt: 1, id: 1 };
  const broken = async () => ({ sessions: [{ host: 'away', epoch: 1, summary: '{', cursor }], next: undefined });
  const list = listingOf([], [], broken);
  expect(await list()).toEqual({ items: [], nextCursor: undefined });
  await expect(list({ limit: 0 })).rejects.toThrow('params/limit');
  for (const wrong of ['nonsense', Buffer.from('{"kept":{"modifiedAt":1,"id":1.5}}').toString('base64url')])
    await expect(list({ cursor: wrong })).rejects.toThrow('params/cursor');
  for (const filter of [1, { hosts: 'x' }, { hosts: [1] }, { status: 0.5 }, { title: 'a\0b' }])
    await expect(list({ _meta: { 'moorage.filter': filter } })).rejects.toThrow('moorage.filter');
});
