import { join } from 'node:path';
import { connect, randomId, sessionUri, when } from '@moorage/client';
import { createPostgresFleetStore, openPostgres } from '@moorage/fleet';
import { openSqliteStore } from '@moorage/host';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet } from '../support/fleet/fleet.js';
import { createNamespace, type NetworkNamespace, noNamespaces } from '../support/fleet/network-namespace.js';

const WAIT = { timeout: 120_000, interval: 50 };

/** Milliseconds without a network, at least; `npm run test:fleet` has a minute. It is over once the fleet has noticed. */
const CUT_MS = Number(process.env.CUT_MS ?? 0);

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const problem = noNamespaces();
if (problem !== undefined)
  process.stderr.write(
    `\n!!! SKIPPED: the test of a host without a network, for there can be no namespace: ${problem}\n\n`,
  );

describe.skipIf(missingEngines().length > 0 || problem !== undefined)('a host that is cut off from its fleet', () => {
  let network: NetworkNamespace;
  let fleet: Fleet;
  beforeAll(() => {
    network = createNamespace();
    fleet = new Fleet();
  });
  afterAll(async () => {
    await fleet.end();
    network.end();
  });

  it('goes on for its own clients, and ships everything when it is back, byte for byte', {
    timeout: 300_000,
  }, async () => {
    await fleet.start(network.address);
    const socket = join(fleet.folder, 'own.sock');
    const own = ['--enrol', await fleet.invitation(), '--socket', socket];
    const host = await fleet.hostBy(network.program, 'island', ...own);
    const id = host.ready.fleet ?? '';
    const stateOf = async () => {
      const { out } = await fleet.moorage('fleet', 'ls', '--json');
      return (JSON.parse(out) as { state: string }[])[0]?.state;
    };
    await vi.waitFor(async () => expect(await stateOf()).toBe('here'), WAIT);
    await using local = await connect({ url: `unix:${socket}` });
    const uri = sessionUri.format(randomId());
    await local.request('createSession', { channel: uri, provider: 'demo' });
    const chat = await local.chat(await when(await local.session(uri), ({ defaultChat }) => defaultChat));
    let turns = 0;
    const turn = async () => {
      turns++;
      expect((await (await chat.send(`/stream 200\n/say turn ${turns}`)).finished()).state).toBe('complete');
    };
    await turn();
    network.unplug();
    const until = Date.now() + CUT_MS;
    let isNoticed = false;
    const noticed = vi
      .waitFor(async () => expect(await stateOf()).toBe('away'), WAIT)
      .then(() => {
        isNoticed = true;
      });
    while (!isNoticed || turns < 10 || Date.now() < until) {
      await turn();
      await pause(); // a busy agent, not a flood
    }
    await noticed;
    network.plugIn();
    await turn();

    const database = openPostgres({ url: fleet.postgres.url, maxConnections: 1 });
    try {
      const kept = createPostgresFleetStore(database);
      await vi.waitFor(
        async () => expect(JSON.stringify(await kept.channels.read(chat.uri))).toContain(`turn ${turns}`),
        WAIT,
      );
      expect(await host.stop()).toBe(0);
      const store = openSqliteStore({ file: join(fleet.dataDir('island'), 'store.sqlite') });
      const channels = await database.query<{ uri: string; after: number }>(
        'select uri, replayable_after::float8 as after from channel where host = $1 and json is not null',
        [id],
      );
      expect(channels.map((channel) => channel.uri)).toContain(chat.uri);
      for (const { uri: channel, after } of channels) {
        const text = (await kept.channels.replay(id, [channel], after)).get(channel);
        expect([channel, text]).toEqual([channel, store.channels.replay(channel, after)]);
        expect(await kept.channels.read(channel)).toEqual({ host: id, ...store.channels.read(channel) });
      }
      store.close();
    } finally {
      await database.close();
    }
  });
});
