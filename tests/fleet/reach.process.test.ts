import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { allSessions, type Client, randomId, sessionUri, when } from '@moorage/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';
import { hasNats } from '../support/fleet/nats-server.js';
import { postgresPrograms } from '../support/fleet/postgres-server.js';

const WAIT = { timeout: 30_000, interval: 50 };
const NAMES = ['build-1', 'build-2', 'build-3'];

describe.skipIf(!hasNats() || postgresPrograms() === undefined)('a fleet of three hosts and two gateways', () => {
  const fleet = new Fleet();
  let gateways: readonly [FleetProcess, FleetProcess];
  const hosts = new Map<string, FleetProcess>();

  beforeAll(async () => {
    const first = await fleet.start();
    gateways = [first, await fleet.gateway()];
    for (const name of NAMES) hosts.set(name, await fleet.host(name, '--enrol', await fleet.invitation()));
    await vi.waitFor(async () => {
      const { out } = await fleet.moorage('fleet', 'ls', '--json');
      expect(JSON.parse(out).map(({ state }: { state: string }) => state)).toEqual(['here', 'here', 'here']);
    }, WAIT);
  }, 120_000);
  afterAll(() => fleet.end());

  const idOf = (name: string) => hosts.get(name)?.ready.fleet ?? '';

  async function conversation(client: Client) {
    const uri = sessionUri.format(randomId());
    await client.request('createSession', { channel: uri, provider: 'demo' });
    const session = await client.session(uri);
    const chat = await client.chat(await when(session, ({ defaultChat }) => defaultChat));
    return { uri, chat };
  }

  it('shows the first token once, and only the gateway that made it', () => {
    expect(gateways[0].ready.token).toMatch(/^[\w-]{43}$/);
    expect(gateways[1].ready.token).toBeUndefined();
  });

  it('has hosts that listen on nothing, and keep their keys to themselves', () => {
    for (const [name, { pid, ready }] of hosts) {
      expect(ready.url).toBeUndefined();
      expect(listeningSockets(pid)).toEqual([]);
      expect(statSync(join(fleet.dataDir(name), 'fleet.json')).mode & 0o777).toBe(0o600);
    }
    expect(listeningSockets(gateways[0].pid)).toHaveLength(1);
  });

  it('lists and steers all of them over either gateway', async () => {
    const made = new Map<string, string>();
    for (const name of NAMES) {
      const client = await fleet.client(gateways[0], `hosts/${idOf(name)}/`);
      const { uri, chat } = await conversation(client);
      expect((await (await chat.send(`/say hello from ${name}`)).finished()).state).toBe('complete');
      made.set(uri, name);
    }
    for (const gateway of gateways) {
      const index = await fleet.client(gateway);
      await vi.waitFor(async () => {
        const listed = await allSessions(index);
        const found = listed.map(({ resource, _meta }) => [resource, _meta?.['moorage.host']]);
        expect(new Map(found as [string, unknown][])).toEqual(
          new Map([...made].map(([uri, name]) => [uri, { id: idOf(name), name, address: `/hosts/${idOf(name)}/` }])),
        );
      }, WAIT);
      const root = await index.root();
      expect(root.confirmed.agents.map(({ provider }) => provider)).toContain('demo');
      expect(root.confirmed.activeSessions).toBe(made.size);
    }
  });
});

/** The sockets on which a process listens, as the system knows them. */
function listeningSockets(pid: number): string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed meanwhile
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(inode ?? ''))
      .map(([, address]) => address ?? ''),
  );
}
