import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { allSessions, type Client, type FleetHost, randomId, sessionUri, when } from '@moorage/client';
import { authenticatorOf, connectNatsBus, hostInbox } from '@moorage/fleet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';

const WAIT = { timeout: 30_000, interval: 50 };
const NAMES = ['build-1', 'build-2', 'build-3'];

describe.skipIf(missingEngines().length > 0)('a fleet of three hosts and two gateways', () => {
  let fleet: Fleet;
  let gateways: readonly [FleetProcess, FleetProcess];
  const hosts = new Map<string, FleetProcess>();

  beforeAll(async () => {
    fleet = new Fleet();
    const first = await fleet.start();
    gateways = [first, await fleet.gateway()];
    for (const name of NAMES) {
      const labels = name === 'build-1' ? [] : ['--label', 'gpu', '--label', `zone=${name}`];
      hosts.set(name, await fleet.host(name, '--enrol', await fleet.invitation(...labels)));
    }
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

  it('is used over one login as a single host is', async () => {
    const here = '--folder=@host';
    const unsaid = await fleet.moorage('run', here, '--yes', '/say where?');
    expect([unsaid.code, unsaid.err]).toEqual([1, expect.stringContaining('--host fleet/build-1\n')]);
    const ran = await fleet.moorage('run', '--host', 'fleet/build-2', here, '--yes', '--json', '/say at work');
    const session = JSON.parse(ran.out.trim().split('\n').at(-1) ?? '').result.session as string;
    const id = session.slice('ahp-session:/'.length);
    await vi.waitFor(async () => {
      const { out } = await fleet.moorage('ls');
      expect(out).toMatch(/^HOST +ID/);
      expect(out).toMatch(new RegExp(`^build-2 +${id.slice(0, 8)}`, 'm'));
    }, WAIT);
    const sent = await fleet.moorage('send', id, '/say and once more', '--wait');
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('and once more')]);
    expect((await fleet.moorage('log', id)).out).toContain('at work');
    const attached = await fleet.moorage('attach', id, '--once');
    expect([attached.code, attached.out]).toEqual([0, expect.stringContaining('and once more')]);
    expect((await fleet.moorage('rename', id, 'renamed from afar')).code).toBe(0);
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).toContain('renamed from afar'), WAIT);
    expect((await fleet.moorage('rm', '--yes', id)).code).toBe(0);
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).not.toContain('renamed from afar'), WAIT);
  });

  it('begins sessions where their labels say, on the host with the fewest that run', async () => {
    const here = '--folder=@host';
    const waiting = await fleet.moorage('run', '--on', 'gpu', here, '--detach', '/ask wait for me');
    expect([waiting.code, waiting.err]).toEqual([0, '']);
    await vi.waitFor(async () => {
      const { out } = await fleet.moorage('fleet', 'ls', '--json');
      const running = JSON.parse(out).map((host: FleetHost) => [host.name, host.runningSessions]);
      expect(running).toEqual([
        ['build-1', 0],
        ['build-2', 1],
        ['build-3', 0],
      ]);
    }, WAIT);
    const ran = await fleet.moorage('run', '--on', 'gpu', here, '--yes', '/title Placed by label\n/say here');
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining(' on build-3\n')]);
    await vi.waitFor(async () => expect((await fleet.moorage('ls')).out).toMatch(/^build-3 .*Placed by label/m), WAIT);
    expect((await fleet.moorage('show', 'Placed by label')).out).toMatch(/^host +build-3$/m);
    const narrowed = await fleet.moorage('run', '--on=gpu', '--on=zone=build-2', here, '--yes', '/say here');
    expect(narrowed.err).toContain(' on build-2\n');
    const none = await fleet.moorage('run', '--on', 'tpu', here, '/say nowhere');
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no host of the fleet fits tpu\nThere are:')]);
    expect(none.err).toContain('build-2 (here) gpu zone=build-2\n');
    const twice = await fleet.moorage('run', '--host', 'fleet/build-1', '--on', 'gpu', '/say where?');
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('exclude each other')]);
  });

  it('tells clients of the index what is added, changed and removed, and where a session is', async () => {
    const index = await fleet.client(gateways[1]);
    const heard: string[] = [];
    index.on('root/sessionAdded', ({ summary }) => heard.push(`added ${summary.resource}`));
    index.on('root/sessionSummaryChanged', ({ session, changes }) => heard.push(`${session} ${changes.title}`));
    index.on('root/sessionRemoved', ({ session }) => heard.push(`removed ${session}`));
    const host = await fleet.client(gateways[0], `hosts/${idOf('build-3')}/`);
    const { uri } = await conversation(host);
    await vi.waitFor(() => expect(heard).toContain(`added ${uri}`), WAIT);
    await expect(index.session(uri)).rejects.toThrow(`the session is served at /hosts/${idOf('build-3')}/`);
    await expect(index.request('createSession', { channel: uri, provider: 'demo' })).rejects.toThrow('is served at');
    await expect(index.request('listSessions', { limit: 1, cursor: 'x' })).rejects.toThrow('params/cursor');
    await host.dispatch(uri, { type: 'session/titleChanged', title: 'seen from the index' });
    await vi.waitFor(() => expect(heard).toContain(`${uri} seen from the index`), WAIT);
    await host.request('disposeSession', { channel: uri });
    await vi.waitFor(() => expect(heard).toContain(`removed ${uri}`), WAIT);
  });

  it('does not let a host speak for another, with all that it has', async () => {
    const [own, other] = [idOf('build-1'), idOf('build-2')];
    const { seed, token } = JSON.parse(readFileSync(join(fleet.dataDir('build-1'), 'fleet.json'), 'utf8'));
    const away: string[] = [];
    const index = await fleet.client(gateways[0]);
    index.on('root/sessionSummaryChanged', ({ changes }) => {
      const host = changes._meta?.['moorage.host'] as { id: string; isAway?: boolean } | undefined;
      if (host?.isAway) away.push(host.id);
    });
    const stolen = await connectNatsBus({
      servers: [fleet.nats.url],
      name: 'stolen',
      authenticator: authenticatorOf({ seed, token }),
      inboxPrefix: hostInbox(own),
    });
    stolen.publish(`ahp.h.${other}.gone`, new Uint8Array());
    stolen.publish(`ahp.h.${own}.gone`, new Uint8Array());
    await vi.waitFor(() => expect(away).toContain(own), WAIT);
    expect(away).not.toContain(other);
    await stolen.close();
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
