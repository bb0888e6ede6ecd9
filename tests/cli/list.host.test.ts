import { randomUUID } from 'node:crypto';
import { demoAgent } from '@moorage/agents/demo';
import type { Client } from '@moorage/client';
import { sessionUri } from '@moorage/protocol';
import { afterEach, expect, it } from 'vitest';
import { newestSessions, PAGE_SIZE } from '../../packages/cli/src/client/sessions/list-page.js';
import { MemoryHost } from '../support/memory-host.js';

const hosts: MemoryHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function hostWith(count: number): Promise<Client> {
  const host = new MemoryHost(() => [demoAgent({ isolation: 'none' })]);
  hosts.push(host);
  const client = await host.client('person');
  for (let made = 0; made < count; made++)
    await client.request('createSession', { channel: sessionUri.format(randomUUID()), provider: 'demo' });
  return client;
}

/** A client whose requests are counted. */
function counting(client: Client): Pick<Client, 'request'> & { count: number } {
  const counted = { count: 0, request: undefined as unknown as Client['request'] };
  counted.request = ((...args: Parameters<Client['request']>) => {
    counted.count++;
    return client.request(...args);
  }) as Client['request'];
  return counted;
}

it('asks for no more pages than it needs', async () => {
  const client = counting(await hostWith(2 * PAGE_SIZE + 50));
  const few = await newestSessions(client, 20, () => true);
  expect([few.sessions.length, few.hasMore, client.count]).toEqual([PAGE_SIZE, true, 1]);
  const all = await newestSessions(client, Number.POSITIVE_INFINITY, () => true);
  expect([all.sessions.length, all.hasMore, client.count]).toEqual([2 * PAGE_SIZE + 50, false, 4]);
});

it('goes on to older pages until enough sessions pass', async () => {
  const client = counting(await hostWith(2 * PAGE_SIZE + 50));
  const all = (await newestSessions(client, Number.POSITIVE_INFINITY, () => true)).sessions;
  const old = all[PAGE_SIZE + 10];
  client.count = 0;
  const found = await newestSessions(client, 1, ({ resource }) => resource === old?.resource);
  expect([found.sessions, client.count]).toEqual([[old], 2]);
});

it('does not go on for ever with a host that repeats its cursor', async () => {
  let asked = 0;
  const request = (async () => {
    asked++;
    return { items: [], nextCursor: 'again' };
  }) as unknown as Client['request'];
  expect(await newestSessions({ request }, 5, () => true)).toEqual({ sessions: [], hasMore: true });
  expect(asked).toBe(2);
});
