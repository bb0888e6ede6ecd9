import { randomId, sessionUri, when } from '@moorage/client';
import { createPostgresFleetStore, type Database, openPostgres } from '@moorage/fleet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';
import { removeFolder } from '../support/remove-folder.js';

const WAIT = { timeout: 30_000, interval: 50 };

describe.skipIf(missingEngines().length > 0)('a host that is killed in a turn, and whose disk is gone', () => {
  let fleet: Fleet;
  let gateway: FleetProcess;
  let database: Database;
  beforeAll(async () => {
    fleet = new Fleet();
    gateway = await fleet.start();
    database = openPostgres({ url: fleet.postgres.url, maxConnections: 1 });
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await fleet.end();
  });

  it('leaves every action behind that a client of the gateway saw, for all to read', async () => {
    const host = await fleet.host('doomed', '--enrol', await fleet.invitation());
    const id = host.ready.fleet ?? '';
    const seen: { channel: string; serverSeq: number }[] = [];
    const client = await vi.waitFor(
      () =>
        fleet.client(gateway, `hosts/${id}/`, fleet.token, (text) => {
          const { method, params } = JSON.parse(text);
          if (method === 'action') seen.push({ channel: params.channel, serverSeq: params.serverSeq });
        }),
      WAIT,
    );
    const uri = sessionUri.format(randomId());
    await client.request('createSession', { channel: uri, provider: 'demo' });
    const session = await client.session(uri);
    const chat = await client.chat(await when(session, ({ defaultChat }) => defaultChat));
    await (await chat.send('/title Lost at sea\n/say all that matters')).finished();
    await chat.send('/stream 100000');
    const length = () => JSON.stringify(chat.confirmed.activeTurn?.responseParts ?? []).length;
    await vi.waitFor(() => expect(length()).toBeGreaterThan(2_000), { ...WAIT, interval: 1 });
    host.stop('SIGKILL');
    await host.exited;
    await removeFolder(fleet.dataDir('doomed'));
    const seenOf = (channel: string) => seen.filter((one) => one.channel === channel).map((one) => one.serverSeq);
    const lastSeen = { chat: seenOf(chat.uri), session: seenOf(uri) };
    expect(lastSeen.chat.length).toBeGreaterThan(10);

    const store = createPostgresFleetStore(database);
    for (const [channel, numbers] of [
      [chat.uri, lastSeen.chat],
      [uri, lastSeen.session],
    ] as const) {
      const first = Math.min(...numbers) - 1;
      const text = (await store.channels.replay(id, [channel], first)).get(channel);
      const kept = new Set((JSON.parse(`[${text}]`) as { serverSeq: number }[]).map(({ serverSeq }) => serverSeq));
      expect(numbers.filter((number) => !kept.has(number))).toEqual([]);
    }
    // The same client sees it, once it has connected again by itself.
    await vi.waitFor(() => expect(session.confirmed._meta?.['moorage.away']).toMatchObject({ id }), WAIT);
    expect(chat.confirmed.turns).toHaveLength(1);
    expect(length()).toBeGreaterThan(2_000);
    await expect(chat.send('/say anybody there?')).rejects.toThrow('the host doomed is away');

    const listed = await fleet.moorage('ls', '--search', 'at SEA');
    expect(listed.out).toMatch(/^doomed \(away\) .* Lost at sea/m);
    expect((await fleet.moorage('ls', '--search', 'nothing like it')).out).toBe('');
    const shown = await fleet.moorage('show', 'Lost at sea');
    expect(shown.out).toContain('doomed is away: this is what the fleet has kept, and it can only be read');
    const log = await fleet.moorage('log', 'Lost at sea');
    expect([log.out, log.err]).toEqual([
      expect.stringContaining('all that matters'),
      expect.stringContaining('doomed is away'),
    ]);
    const sent = await fleet.moorage('send', 'Lost at sea', '/say hello?');
    expect([sent.code, sent.err]).toEqual([1, expect.stringContaining('the host doomed is away')]);
  });
});
