import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connect, openUrl, randomId, sessionUri, when } from '@moorage/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingEngines } from '../support/fleet/engines.js';
import { Fleet, type FleetProcess } from '../support/fleet/fleet.js';
import { agree, CLIENT_ID, OidcProvider } from '../support/oidc-provider.js';

const WAIT = { timeout: 30_000, interval: 20 };

describe.skipIf(missingEngines().length > 0)('a fleet in which something goes wrong', () => {
  let fleet: Fleet;
  let gateways: FleetProcess[];
  let host: FleetProcess;
  let invitation: string;

  beforeAll(async () => {
    fleet = new Fleet();
    gateways = [await fleet.start(), await fleet.gateway()];
    invitation = await fleet.invitation('--label', 'gpu');
    host = await fleet.host('steady', '--enrol', invitation);
    await isThere(host);
  }, 120_000);
  afterAll(() => fleet.end());

  const stateOf = async ({ ready }: FleetProcess): Promise<string | undefined> => {
    const { out } = await fleet.moorage('fleet', 'ls', '--json');
    return JSON.parse(out).find(({ id }: { id: string }) => id === ready.fleet)?.state;
  };
  const isThere = (process: FleetProcess) =>
    vi.waitFor(async () => expect(await stateOf(process)).toBe('here'), { timeout: 30_000, interval: 100 });

  /** A client that takes whichever gateway answers. */
  async function roaming(onText: (text: string) => void = () => {}): Promise<Client> {
    const transport = async () => {
      for (const { ready } of gateways) {
        const opened = await openUrl(`${ready.url}hosts/${host.ready.fleet}/`, fleet.token).catch(() => undefined);
        opened?.onMessage(onText);
        if (opened) return opened;
      }
      throw new Error('no gateway answers');
    };
    return connect({ transport, reconnect: { minDelayMs: 20, maxDelayMs: 500 }, onError: () => {} });
  }

  /** Starts a long turn, lets something happen in its middle, and compares what the client has with a fresh one. */
  async function interrupted(happen: () => Promise<void>): Promise<void> {
    const resumed: string[] = [];
    await using client = await roaming((text) => {
      const type = /"result":\{"type":"(\w+)"/.exec(text.slice(0, 200))?.[1];
      if (type !== undefined) resumed.push(type);
    });
    const uri = sessionUri.format(randomId());
    await client.request('createSession', { channel: uri, provider: 'demo' });
    const chat = await client.chat(await when(await client.session(uri), ({ defaultChat }) => defaultChat));
    const sent = await chat.send('/stream 8000'); // long, and less than a host keeps for replay
    const length = () => JSON.stringify(chat.confirmed.activeTurn?.responseParts ?? []).length;
    await vi.waitFor(() => expect(length()).toBeGreaterThan(500), { timeout: 30_000, interval: 1 });
    await happen();
    expect((await sent.finished()).state).toBe('complete');
    expect(resumed.length).toBeGreaterThan(0);
    expect(new Set(resumed)).toEqual(new Set(['replay']));
    await using fresh = await roaming();
    expect((await fresh.chat(chat.uri)).confirmed).toEqual(chat.confirmed);
  }

  it('leaves a client complete when its gateway is killed in a turn', async () => {
    await interrupted(async () => {
      const [killed] = gateways;
      await killed?.stop('SIGKILL');
      gateways = gateways.slice(1);
    });
    gateways = [...gateways, await fleet.gateway()];
    await fleet.useGateway(gateways[0] as FleetProcess);
  });

  it('leaves a client complete when the bus is killed in a turn', async () => {
    await interrupted(async () => {
      await fleet.nats.kill();
      await fleet.nats.restart();
    });
    await isThere(host);
  });

  it('changes what a user may do, and puts out whose token is revoked, at every gateway', async () => {
    const { token } = JSON.parse((await fleet.moorage('fleet', 'token', 'add', 'mallory', '--json')).out);
    const [here, there] = gateways as [FleetProcess, FleetProcess];
    await vi.waitFor(() => fleet.client(there, '', token), WAIT); // the other gateway has read of it
    const clients = [
      await fleet.client(here, '', token),
      await fleet.client(there, '', token),
      await fleet.client(there, `hosts/${host.ready.fleet}/`, token),
    ];
    const words = 'this needs the role admin, and mallory has the role view';
    await expect(clients[0]?.request('moorage/inviteHost', { labels: [] })).rejects.toThrow(words);
    expect((await fleet.moorage('fleet', 'token', 'role', 'mallory', 'review')).code).toBe(0);
    const roles = () => clients.map(({ hostInfo }) => hostInfo._meta?.['moorage.person']);
    const review = { name: 'mallory', role: 'review' };
    await vi.waitFor(() => expect(roles()).toEqual([review, review, review]), WAIT);
    const ended = clients.map(
      (client) => new Promise((resolve) => client.onStatus((status) => status === 'closed' && resolve(status))),
    );
    expect((await fleet.moorage('fleet', 'token', 'revoke', 'mallory')).code).toBe(0);
    await Promise.all(ended);
    await expect(fleet.client(there, '', token)).rejects.toThrow(/401/);
    expect((await fleet.moorage('fleet', 'token', 'revoke', 'admin')).err).toContain('the last token of an admin');
    expect((await fleet.moorage('audit')).out).toMatch(/ admin moorage\/setTokenRole .* name=mallory role=review/);
  });

  it('lets people in by a provider, at every gateway, until they are revoked', async () => {
    const provider = new OidcProvider();
    await provider.start(['http://127.0.0.1/sign-in/done']);
    try {
      const options = ['--oidc', provider.issuer, '--oidc-client-id', CLIENT_ID, '--oidc-allow', '@example.com=steer'];
      const gateway = await fleet.gateway(...options);
      const asking = fleet.admin.terminal('login', gateway.ready.url ?? '', '--name', 'signed-in');
      await asking.sees('enter the code');
      await agree(asking.raw, 'ada');
      await asking.sees('signed in to signed-in as ada@example.com with the role steer');
      const asAda = (...args: string[]) => fleet.moorage(...args, '--host', 'signed-in');
      expect((await asAda('fleet', 'ls')).code).toBe(0);
      expect((await asAda('fleet', 'enrol')).err).toContain('ada@example.com has the role steer');
      const token = readFileSync(join(fleet.admin.folder, 'config', 'moorage', 'signed-in.token'), 'utf8').trim();
      const [there] = gateways as [FleetProcess];
      const client = await vi.waitFor(() => fleet.client(there, '', token), WAIT);
      const ended = new Promise((resolve) => client.onStatus((status) => status === 'closed' && resolve(status)));
      expect((await fleet.moorage('fleet', 'token', 'revoke', 'ada@example.com')).code).toBe(0);
      await ended;
      await gateway.stop();
    } finally {
      await provider.stop();
    }
  });

  it('takes an enrolment token once, and says what is wrong with others', async () => {
    const again = fleet.host('second', '--enrol', invitation);
    await expect(again).rejects.toThrow(/the enrolment token was used already, has expired or is of another fleet/);
    await expect(fleet.host('second', '--enrol', 'nonsense')).rejects.toThrow(/this is no enrolment token/);
    await expect(fleet.host('second')).rejects.toThrow(/not a member of a fleet: join one with --enrol/);
    const [id, secret, token, seed, inbox] = JSON.parse(Buffer.from(invitation, 'base64url').toString());
    const forged = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const wrong = forged([id, `${secret}x`, token, seed, inbox]);
    await expect(fleet.host('second', '--enrol', wrong)).rejects.toThrow(/refuses this host/);
    const foreign = forged([
      id,
      secret,
      token.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')),
      seed,
      inbox,
    ]);
    await expect(fleet.host('second', '--enrol', foreign)).rejects.toThrow(/has expired or is of another fleet/);
  });

  it('lets a host come back without its token and with it, but no copy of it', async () => {
    cpSync(fleet.dataDir('steady'), fleet.dataDir('copy'), { recursive: true });
    await expect(fleet.host('copy')).rejects.toThrow(/this data folder is a copy .* remove .*fleet\.json here/);
    const { fleet: id } = host.ready;
    expect(await host.stop()).toBe(0);
    await vi.waitFor(async () => expect(await stateOf(host)).toBe('away'), WAIT);
    host = await fleet.host('steady', '--enrol', invitation);
    expect(host.ready.fleet).toBe(id);
    await isThere(host);
    expect(await host.stop('SIGKILL')).toBeNull();
    await vi.waitFor(async () => expect(await stateOf(host)).toBe('away'), WAIT);
    host = await fleet.host('steady');
    await isThere(host);
  });

  it('cuts a host that is revoked, says so there, and closes its clients', async () => {
    const doomed = await fleet.host('doomed', '--enrol', await fleet.invitation());
    await isThere(doomed);
    const client = await fleet.client(gateways[1] as FleetProcess, `hosts/${doomed.ready.fleet}/`);
    const lost = new Promise((resolve) => client.onStatus((status) => status !== 'live' && resolve(status)));
    expect((await fleet.moorage('fleet', 'revoke', 'doomed', '--yes')).code).toBe(0);
    await lost;
    expect(await doomed.exited).toBe(1);
    expect(doomed.stderr()).toContain('the fleet has revoked this host');
    expect(await stateOf(doomed)).toBe('revoked');
    await expect(fleet.host('doomed')).rejects.toThrow(/does not let this host in: it was revoked/);
    await isThere(host); // nobody else is out
    const anew = await fleet.host('doomed', '--enrol', await fleet.invitation());
    expect(anew.ready.fleet).not.toBe(doomed.ready.fleet);
  });

  it('goes on for those who are connected while the database is down', async () => {
    const client = await fleet.client(gateways[0] as FleetProcess, `hosts/${host.ready.fleet}/`);
    await fleet.postgres.kill();
    expect((await client.request('listSessions')).items.length).toBeGreaterThan(0);
    const later = await fleet.client(gateways[1] as FleetProcess);
    expect((await later.request('listSessions')).items.length).toBeGreaterThan(0);
    await expect(later.request('moorage/addToken', { name: 'bob', role: 'view' })).rejects.toThrow();
    await fleet.postgres.restart();
    await vi.waitFor(() => later.request('moorage/addToken', { name: 'bob', role: 'view' }), WAIT);
  });

  it('says what is wrong with how a gateway is started', async () => {
    const keys = join(fleet.folder, 'keys');
    const start = (bus: string, store: string, folder = keys) =>
      fleet.run('gateway', '--bus', bus, '--store', store, '--keys', folder, '--json', '--port', '0');
    await expect(start('http://x', fleet.postgres.url)).rejects.toThrow(/ended with 2: .*no address of a bus/);
    await expect(start(fleet.nats.url, 'mysql://x')).rejects.toThrow(/ended with 2: .*--store/);
    await expect(start(fleet.nats.url, fleet.postgres.url, '/nowhere')).rejects.toThrow(/moorage fleet init \/nowhere/);
    await expect(start('nats://127.0.0.1:1', fleet.postgres.url)).rejects.toThrow(/cannot connect to the bus/);
    await expect(start(fleet.nats.url, 'postgres://127.0.0.1:1/x')).rejects.toThrow(
      /database of --store cannot be used/,
    );
  });

  it('stops a gateway in time, while clients and hosts are connected', async () => {
    await fleet.client(gateways[1] as FleetProcess, `hosts/${host.ready.fleet}/`);
    expect(await gateways[1]?.stop()).toBe(0); // after five seconds it would be 1
  });
});
