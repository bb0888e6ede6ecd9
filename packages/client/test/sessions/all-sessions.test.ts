import type { SessionSummary } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { allSessions } from '../../src/index.js';
import { rig } from '../support/rig.js';

const time = '2026-01-01T00:00:00.000Z';
const session = (id: string, title = id): SessionSummary => ({
  resource: `ahp-session:/${id}`,
  provider: 'mock',
  title,
  status: 1,
  createdAt: time,
  modifiedAt: time,
});

describe('all sessions of a host', () => {
  it('come from every page, each once and as it was last', async () => {
    const { host, client } = await rig();
    const pages: Record<string, object> = {
      '': { items: [session('a'), session('b')], nextCursor: 'two' },
      two: { items: [session('b', 'renamed'), session('c')] },
    };
    host.onRequest = (method, { cursor = '' }) => (method === 'listSessions' ? pages[String(cursor)] : undefined);
    expect((await allSessions(client)).map(({ title }) => title)).toEqual(['a', 'renamed', 'c']);
  });

  it('end when a host repeats a cursor', async () => {
    const { host, client } = await rig();
    host.onRequest = (method) =>
      method === 'listSessions' ? { items: [session('a')], nextCursor: 'again' } : undefined;
    expect(await allSessions(client)).toHaveLength(1);
    expect(host.heard.filter(({ method }) => method === 'listSessions')).toHaveLength(2);
  });
});
