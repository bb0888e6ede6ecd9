import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_URI } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { PATIENT, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost | undefined;
afterEach(async () => {
  await host?.dispose();
  host = undefined;
});

async function start() {
  host = await TestHost.start({ isSearchable: true });
  return { host, client: await host.client() };
}

/** The sessions that a search finds, once it finds as many as expected: the index follows a moment later. */
async function finds(client: WireClient, query: string, sessions: string[]): Promise<void> {
  const found = async () => {
    const { items } = await client.request('moorage/searchConversations', { channel: ROOT_URI, query });
    return items.map(({ session }) => session).sort();
  };
  await expect.poll(found, PATIENT).toEqual([...sessions].sort());
}

/** Waits until the host has looked at everything. */
async function indexed(client: WireClient): Promise<void> {
  const incomplete = async () =>
    (await client.request('moorage/searchConversations', { channel: ROOT_URI, query: 'x' })).incomplete;
  await expect.poll(incomplete, PATIENT).toBeUndefined();
}

describe('what was said', () => {
  it('is found by the words of the message and of the answer, with its turn and an excerpt', async () => {
    const { host, client } = await start();
    const one = await host.session(client);
    const two = await host.session(client);
    const turnId = await turn(client, one.chat, '/say the walrus sings');
    await turn(client, two.chat, '/say nothing');
    await finds(client, 'WALRUS si', [one.session]);
    const { items } = await client.request('moorage/searchConversations', { channel: ROOT_URI, query: 'walrus' });
    expect(items).toMatchObject([{ chat: one.chat, turnId, excerpt: expect.stringContaining('walrus') }]);
    await finds(client, 'say', [one.session, two.session]);
  });

  it('is no longer found when it was taken back, its chat was removed, or its session; and again when that is restored', async () => {
    const { host, client } = await start();
    const { session, chat } = await host.session(client);
    const first = await turn(client, chat, '/say apple');
    await turn(client, chat, '/say pear');
    await finds(client, 'pear', [session]);
    await client.act(chat, { type: 'chat/truncated', turnId: first });
    await finds(client, 'pear', []);
    await finds(client, 'apple', [session]);
    await client.request('disposeSession', { channel: session });
    await finds(client, 'apple', []);
    await client.request('restoreSession', { channel: session });
    await finds(client, 'apple', [session]);
  });

  it('is found in a fork, too', async () => {
    const { host, client } = await start();
    const { session, chat } = await host.session(client);
    const turnId = await turn(client, chat, '/say mango');
    const fork = host.newSessionUri();
    const _meta = { 'moorage.fork': { session, turnId } };
    await client.request('createSession', { channel: fork, provider: 'demo', _meta });
    await finds(client, 'mango', [session, fork]);
  });

  it('is found after a restart, without being read again', async () => {
    const { host, client } = await start();
    const { session, chat } = await host.session(client);
    await turn(client, chat, '/say melon');
    await finds(client, 'melon', [session]);
    await client.close();
    await host.restart();
    const again = await host.client();
    const { items } = await again.request('moorage/searchConversations', { channel: ROOT_URI, query: 'melon' });
    expect(items).toHaveLength(1);
    await indexed(again);
    expect(statSync(join(host.folder, 'search.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('is caught up with, whatever a crash kept the index from: what is missing is added, what is gone is removed', async () => {
    const { host, client } = await start();
    const { session, chat } = await host.session(client);
    const removed = await host.session(client);
    await turn(client, chat, '/say early');
    await turn(client, removed.chat, '/say early');
    await finds(client, 'early', [session, removed.session]);
    await client.close();
    await host.stop();
    const [index, copy] = [join(host.folder, 'search.sqlite'), join(host.folder, 'older')];
    copyFileSync(index, copy);
    await host.start();
    const second = await host.client();
    await second.subscribe(chat);
    await turn(second, chat, '/say later');
    await second.request('disposeSession', { channel: removed.session });
    await finds(second, 'later', [session]);
    await second.close();
    await host.stop();
    for (const suffix of ['-wal', '-shm']) rmSync(index + suffix, { force: true });
    copyFileSync(copy, index); // as if nothing since had been written
    await host.start();
    const third = await host.client();
    await finds(third, 'later', [session]);
    await finds(third, 'early', [session]);
  });

  it('is found in a store that had no index, also in the oldest sessions', async () => {
    const { host, client } = await start();
    const sessions = [];
    for (let count = 0; count < 5; count++) {
      const { session, chat } = await host.session(client);
      await turn(client, chat, `/say fruit ${count}`);
      sessions.push(session);
    }
    await client.close();
    await host.stop();
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(host.folder, `search.sqlite${suffix}`), { force: true });
    await host.start();
    const again = await host.client();
    await finds(again, 'fruit', sessions);
    await indexed(again);
  });

  it('comes page by page, and with bounds', async () => {
    const { host, client } = await start();
    const sessions = [];
    for (let count = 0; count < 5; count++) {
      const { session, chat } = await host.session(client);
      await turn(client, chat, '/say plum');
      sessions.push(session);
    }
    await finds(client, 'plum', sessions);
    const params = { channel: ROOT_URI, query: 'plum', limit: 2 } as const;
    const found: string[] = [];
    for (let cursor: string | undefined, page = 0; page < 3; page++) {
      const answer = await client.request('moorage/searchConversations', { ...params, ...(cursor && { cursor }) });
      found.push(...answer.items.map(({ session }) => session));
      cursor = answer.nextCursor;
      expect(cursor === undefined).toBe(page === 2);
    }
    expect(found.sort()).toEqual(sessions.sort());
    for (const wrong of [{ cursor: 'x' }, { cursor: '-1' }, { cursor: '99999' }, { limit: 0 }, { limit: -1 }])
      expect(await client.refused('moorage/searchConversations', { ...params, ...wrong })).toMatchObject({
        code: -32602,
      });
  });
});
