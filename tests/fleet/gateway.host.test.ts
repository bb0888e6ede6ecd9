import { allSessions, connect, openUrl, randomId, sessionUri, type Transport, when } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { InProcessFleet } from '../support/fleet/in-process.js';

const WAIT = { timeout: 30_000, interval: 20 };
const fleet = new InProcessFleet();
beforeAll(() => fleet.ready(), 120_000);
afterEach(() => fleet.end());
beforeAll(() => fleet.database.query('select 1'), 180_000); // starting it takes most of the time
afterAll(() => fleet.database.close());

it('says how far a host is with shipping what happened while the database was down', async () => {
  const gateway = await fleet.gateway();
  const host = await fleet.host(gateway);
  const index = await gateway.client();
  const unshipped = async () => (await index.request('moorage/listHosts')).items[0]?.unshipped;
  await vi.waitFor(async () => expect(await unshipped()).toBe(0), WAIT);
  let isBack = () => {};
  gateway.stored.at = new Promise<void>((resolve) => {
    isBack = resolve;
  });
  for (let count = 0; count < 30; count++)
    host.commit({
      documents: [{ collection: 'content', key: `${count}`, json: '1', session: `ahp-session:/${count}` }],
    });
  await vi.waitFor(async () => expect(await unshipped()).toBe(30), WAIT);
  isBack();
  await vi.waitFor(async () => expect(await unshipped()).toBe(0), WAIT);
});

it('lists a host, steers it, and shows what it had while it is away', async () => {
  const gateway = await fleet.gateway();
  const host = await fleet.host(gateway);
  const index = await gateway.client();
  const states = async () => (await index.request('moorage/listHosts')).items.map(({ name, state }) => [name, state]);
  await vi.waitFor(async () => expect(await states()).toEqual([['north', 'here']]), WAIT);
  const uri = sessionUri.format(randomId());
  const direct = await gateway.client(`hosts/${host.id}/`);
  await direct.request('createSession', { channel: uri, provider: 'demo' });
  const list = await index.sessions();
  const hosts = () => list.items.map(({ resource, _meta }) => [resource, _meta?.['moorage.host']]);
  const shown = { id: host.id, name: 'north', address: `/hosts/${host.id}/` };
  await vi.waitFor(() => expect(hosts()).toEqual([[uri, shown]]), WAIT);
  const root = await index.root();
  expect(root.confirmed).toMatchObject({ activeSessions: 1, agents: [{ provider: 'demo' }] });
  const session = await direct.session(uri);
  const chat = await direct.chat(await when(session, ({ defaultChat }) => defaultChat));
  const data = Buffer.alloc(40_000, 'a picture').toString('base64');
  const attachments = [{ type: 'embeddedResource' as const, label: 'large', data, contentType: 'image/png' }];
  expect((await (await chat.send({ text: '/say kept', attachments, origin: { kind: 'user' } })).finished()).state).toBe(
    'complete',
  );
  const { turns } = chat.confirmed;

  await host.leave();
  await vi.waitFor(() => expect(hosts()).toEqual([[uri, { ...shown, isAway: true }]]), WAIT);
  expect(await states()).toEqual([['north', 'away']]);
  expect(root.confirmed.activeSessions).toBe(0);
  const listed = await allSessions(index);
  expect(listed).toMatchObject([{ resource: uri, _meta: { 'moorage.host': { isAway: true } } }]);
  await expect(index.session(uri)).rejects.toMatchObject({ data: { address: shown.address } });
  // Who was connected is connected again, and sees what was kept.
  await vi.waitFor(() => expect(session.confirmed._meta?.['moorage.away']).toMatchObject({ name: 'north' }), WAIT);
  const late = await gateway.client(`hosts/${host.id}/`);
  expect((await late.chat(chat.uri)).confirmed.turns).toEqual(turns);
  const [attached] = turns[0]?.message.attachments ?? [];
  const stored = attached?.type === 'resource' ? attached.uri : '';
  const content = await late.request('resourceRead', { channel: ROOT_URI, uri: stored, encoding: 'base64' });
  expect(content.data).toBe(data);
  const page = { 'moorage.page': { limit: 5 } };
  expect(await late.request('fetchTurns', { channel: chat.uri, _meta: page })).toEqual({ turns, hasMore: false });
  expect((await late.root()).confirmed._meta?.['moorage.away']).toMatchObject({ id: host.id });
  expect(await allSessions(late)).toMatchObject([{ resource: uri }]);
  const words = 'the host north is away: what it had can only be read';
  await expect(chat.send('/say no')).rejects.toThrow(words);
  await expect(late.request('disposeSession', { channel: uri })).rejects.toThrow(words);
  await expect(late.session('ahp-session:/nothing')).rejects.toThrow('nothing is kept of ahp-session:/nothing');

  host.comeBack();
  await vi.waitFor(() => expect(hosts()).toEqual([[uri, shown]]), WAIT);
  await vi.waitFor(() => expect(session.confirmed._meta?.['moorage.away']).toBeUndefined(), WAIT);
  expect((await (await chat.send('/say again')).finished()).state).toBe('complete');
  expect(chat.confirmed.turns).toHaveLength(2);
});

it('shows nothing of a host that the fleet does not have yet', async () => {
  const gateway = await fleet.gateway();
  const host = await fleet.host(gateway);
  const client = await gateway.client(`hosts/${host.id}/`);
  const uri = sessionUri.format(randomId());
  await client.request('createSession', { channel: uri, provider: 'demo' });
  const chat = await client.chat(await when(await client.session(uri), ({ defaultChat }) => defaultChat));
  let release = () => {};
  gateway.stored.at = new Promise((resolve) => {
    release = resolve;
  });
  const sent = chat.send('/say later');
  sent.catch(() => {}); // it is awaited below
  fleet.ends.push(release);
  const atHost = () => host.store.channels.read(chat.uri)?.tail;
  await vi.waitFor(() => expect(atHost()).toContain('chat/turnComplete'), WAIT);
  await (await gateway.client()).request('listSessions'); // the gateway has passed on whatever it was sent
  expect(chat.confirmed).toMatchObject({ turns: [] });
  expect(chat.confirmed.activeTurn).toBeUndefined();
  release();
  expect((await (await sent).finished()).state).toBe('complete');
});

it('lets a client of the index begin anew after its connection was lost: numbers of gateways differ', async () => {
  const { address, token } = await fleet.gateway();
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
  fleet.ends.push(() => client.close());
  const isBack = new Promise<void>((resolve) => client.onStatus((status) => status === 'live' && resolve()));
  opened[0]?.close();
  await isBack;
  expect(asked).toEqual(['initialize', 'reconnect', 'initialize']);
  expect((await client.root()).confirmed._meta?.['moorage.gateway']).toEqual({ version: '1.2.3' });
});
