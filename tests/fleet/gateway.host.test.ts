import { demoAgent } from '@moorage/agents/demo';
import { allSessions, connect, openUrl, randomId, sessionUri, type Transport } from '@moorage/client';
import { createFleetKeys, createRegistry, migrate, REGISTRY, startGateway } from '@moorage/fleet';
import {
  createHost,
  createMemoryBroker,
  createMemoryStore,
  listenBus,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  silentLog,
} from '@moorage/host';
import { afterEach, expect, it, vi } from 'vitest';
import { startHeartbeat } from '../../packages/fleet/src/member/heartbeat.js';
import { openPglite } from '../support/fleet/pglite.js';

const WAIT = { timeout: 30_000, interval: 20 };
const shared = { clock: nodeClock, log: silentLog };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A gateway on a bus and a database in this process: what it does needs no engine. */
async function gatewayOn(broker = createMemoryBroker()) {
  const database = openPglite();
  await migrate(database, [REGISTRY]);
  const registry = createRegistry(database);
  const gateway = await startGateway({
    bus: broker.connect(),
    system: broker.connect(),
    registry,
    keys: createFleetKeys(),
    busAddresses: ['nats://bus.example:4222'],
    version: '1.2.3',
    ...shared,
  });
  const { credentials, firstToken: token = '' } = gateway;
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    credentials,
    onClient: gateway.accept,
    ...shared,
  });
  ends.push(
    () => database.close(),
    () => gateway.close(),
    () => listener.close(),
  );
  const client = async (path = '', as = token) => {
    const connected = await connect({ url: listener.address + path, token: as, onError: () => {} });
    ends.push(() => connected.close());
    return connected;
  };
  return { broker, registry, client, address: listener.address, token };
}

it('lists a host while it is there, and steers it', async () => {
  const { broker, registry, client } = await gatewayOn();
  const invitation = await registry.invite(['gpu'], Date.now() + 60_000);
  const { host: id = '' } = (await registry.enrol({ ...invitation, name: 'north', publicKey: 'UA' })) ?? {};
  const agents = [demoAgent({ isolation: 'none' })];
  const host = createHost({ store: createMemoryStore(), agents, folders: nodeFolders([process.cwd()]), ...shared });
  const bus = broker.connect();
  const listener = listenBus({ bus, host: id, onClient: host.accept, ...shared });
  ends.push(
    () => host.close(),
    () => listener.close(),
  );
  const index = await client();
  const states = async () => (await index.request('moorage/listHosts')).items.map(({ name, state }) => [name, state]);
  const heartbeat = startHeartbeat({ bus, host: id, version: '1.2.3', clock: nodeClock });
  await vi.waitFor(async () => expect(await states()).toEqual([['north', 'here']]), WAIT);
  const uri = sessionUri.format(randomId());
  const direct = await client(`hosts/${id}/`);
  await direct.request('createSession', { channel: uri, provider: 'demo' });
  await vi.waitFor(async () => expect((await allSessions(index)).map(({ resource }) => resource)).toEqual([uri]), WAIT);
  const root = await index.root();
  expect(root.confirmed).toMatchObject({ activeSessions: 1, agents: [{ provider: 'demo' }] });
  heartbeat.stop();
  await vi.waitFor(async () => expect(await allSessions(index)).toEqual([]), WAIT);
  expect(await states()).toEqual([['north', 'away']]);
});

it('lets a client of the index begin anew after its connection was lost: numbers of gateways differ', async () => {
  const { address, token } = await gatewayOn();
  const asked: string[] = [];
  const opened: Transport[] = [];
  const transport = async (): Promise<Transport> => {
    const socket = await openUrl(address, token);
    opened.push(socket);
    const send = (text: string) => {
      asked.push(JSON.parse(text).method);
      socket.send(text);
    };
    return { ...socket, send };
  };
  const client = await connect({ transport, reconnect: { minDelayMs: 1, maxDelayMs: 20 }, onError: () => {} });
  ends.push(() => client.close());
  const isBack = new Promise<void>((resolve) => client.onStatus((status) => status === 'live' && resolve()));
  opened[0]?.close();
  await isBack;
  expect(asked).toEqual(['initialize', 'reconnect', 'initialize']);
  expect((await client.root()).confirmed._meta?.['moorage.gateway']).toEqual({ version: '1.2.3' });
});

it('lets only admins change the fleet, and checks what they ask for', async () => {
  const { client } = await gatewayOn();
  const admin = await client();
  const { token } = await admin.request('moorage/addToken', { name: 'alice', isAdmin: false });
  const alice = await client('', token);
  for (const asked of [
    alice.request('moorage/inviteHost', { labels: [] }),
    alice.request('moorage/revokeHost', { host: 'x' }),
    alice.request('moorage/listTokens'),
    alice.request('moorage/addToken', { name: 'eve', isAdmin: true }),
    alice.request('moorage/revokeToken', { name: 'admin' }),
  ])
    await expect(asked).rejects.toThrow('only admins');
  await expect(admin.request('moorage/addToken', { name: 'alice', isAdmin: false })).rejects.toThrow(
    'a token named alice',
  );
  await expect(admin.request('moorage/addToken', { name: 'a b', isAdmin: false })).rejects.toThrow('a name has');
  await expect(admin.request('moorage/inviteHost', { labels: ['a b'] })).rejects.toThrow('labels are');
  await expect(admin.request('moorage/inviteHost', { labels: [], validMs: 1e12 })).rejects.toThrow('30 days');
  await expect(admin.request('moorage/revokeHost', { host: 'x' })).rejects.toThrow('there is no host x');
  await expect(admin.request('moorage/revokeToken', { name: 'admin' })).rejects.toThrow('the last token of an admin');
  expect((await admin.request('moorage/listTokens')).items).toEqual([
    { name: 'admin', isAdmin: true },
    { name: 'alice', isAdmin: false },
  ]);
  const ended = new Promise((resolve) => alice.onStatus((status) => status === 'closed' && resolve(status)));
  await admin.request('moorage/revokeToken', { name: 'alice' });
  expect(await ended).toBe('closed');
});
