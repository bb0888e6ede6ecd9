import { demoAgent } from '@moorage/agents/demo';
import { connect, randomId, sessionUri, when } from '@moorage/client';
import {
  type Bus,
  createHost,
  createMemoryBroker,
  createMemoryStore,
  createTokenCredentials,
  listenBus,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  silentLog,
} from '@moorage/host';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { HostRoute } from '../../packages/fleet/src/gateway/host-route.js';
import { WireClient } from '../support/wire-client.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const TOKEN = 'gateway-token-0123456789';

/** A host that listens on nothing, and a gateway with an address, on one bus. */
async function fleet(around: (bus: Bus) => Bus = (bus) => bus) {
  const broker = createMemoryBroker();
  const shared = { clock: nodeClock, log: silentLog };
  const host = createHost({
    store: createMemoryStore(),
    agents: [demoAgent({ isolation: 'none' })],
    folders: nodeFolders([process.cwd()]),
    ...shared,
  });
  const listener = listenBus({ bus: around(broker.connect()), host: 'build-1', onClient: host.accept, ...shared });
  const route = new HostRoute({ acceptAway: () => false, bus: broker.connect(), ...shared });
  const gateway = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    credentials: createTokenCredentials({ alice: TOKEN }),
    onClient: (incoming) => {
      if (!route.accept(incoming, { name: 'admin', role: 'admin' })) incoming.transport.close(1008, 'only hosts here');
    },
    ...shared,
  });
  ends.push(
    () => host.close(),
    () => listener.close(),
    () => gateway.close(),
  );
  return { broker, host, listener, gateway, url: `${gateway.address}hosts/build-1/` };
}

async function conversation(url: string) {
  const client = await connect({ url, token: TOKEN });
  ends.push(() => client.close());
  const uri = sessionUri.format(randomId());
  await client.request('createSession', { channel: uri, provider: 'demo' });
  const chat = await client.chat(await when(await client.session(uri), ({ defaultChat }) => defaultChat));
  return { client, chat };
}

it('a client of the gateway steers a host that listens on nothing', async () => {
  const { url } = await fleet();
  const { chat } = await conversation(url);
  const turn = await (await chat.send('/say hello from far away')).finished();
  expect(turn.state).toBe('complete');
  expect(JSON.stringify(turn.responseParts)).toContain('hello from far away');
});

it.each([
  ['1.0.0', 1],
  ['0.9.0', 2],
])('clients of %s are told the same once, however many they are', async (version, times) => {
  const sent: string[] = [];
  const { url } = await fleet((bus) => ({
    ...bus,
    publish: (subject, body) => {
      sent.push(Buffer.from(body).toString());
      bus.publish(subject, body);
    },
  }));
  const { chat } = await conversation(url); // of a client of 1.0.0
  const options = { url, token: TOKEN, versions: [version], subscriptions: [chat.uri] };
  const others = await Promise.all([1, 2, 3].map(() => WireClient.connect(options)));
  for (const other of others) ends.push(() => other.close());
  await (await chat.send('/say the same for all')).finished();
  for (const other of others) await other.action(chat.uri, 'chat/turnComplete');
  const [first, ...rest] = others.map(({ envelopes }) => envelopes);
  for (const other of rest) expect(other).toEqual(first);
  expect(sent.flatMap((packet) => packet.split('"type":"chat/turnComplete"').slice(1))).toHaveLength(times);
});

it('serves a host of a version that tells each client by itself', async () => {
  const { url } = await fleet((bus) => ({
    ...bus,
    serve: (pattern, ...rest) => (pattern.endsWith('.share') ? { end: () => {} } : bus.serve(pattern, ...rest)),
  }));
  const { chat } = await conversation(url);
  expect((await (await chat.send('/say hello')).finished()).state).toBe('complete');
});

it('a client is complete by replay after the bus was gone in the middle of a turn', async () => {
  const { url, broker } = await fleet();
  const { chat } = await conversation(url);
  const sent = await chat.send('/stream 2000');
  const length = () => JSON.stringify(chat.confirmed.activeTurn?.responseParts ?? []).length;
  await vi.waitFor(() => expect(length()).toBeGreaterThan(200), { timeout: 20_000, interval: 1 });
  broker.stop();
  broker.restart();
  const turn = await sent.finished();
  const another = await connect({ url, token: TOKEN });
  ends.push(() => another.close());
  const other = await another.chat(chat.uri);
  expect(turn.state).toBe('complete');
  expect(other.confirmed).toEqual(chat.confirmed);
});

it.each([
  ['hosts/nobody/', 1013, /the host cannot be reached: nobody serves/],
  ['hosts/a.b/', 1008, /there is no such host/],
  ['elsewhere', 1008, /only hosts/],
])('says what is wrong with %s', async (path, code, reason) => {
  const { gateway } = await fleet();
  const socket = new WebSocket(`${gateway.address}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const closed = await new Promise((resolve) =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  );
  expect(closed).toEqual([code, expect.stringMatching(reason)]);
});
