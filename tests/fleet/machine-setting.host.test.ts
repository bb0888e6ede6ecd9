import { type Client, randomId, sessionUri, when } from '@moorage/client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { InProcessFleet } from '../support/fleet/in-process.js';

const WAIT = { timeout: 30_000, interval: 20 };
const fleet = new InProcessFleet();
beforeAll(() => fleet.ready(), 180_000); // starting the database takes most of the time
afterEach(() => fleet.end());
afterAll(() => fleet.database.close());

async function twoHosts() {
  const gateway = await fleet.gateway();
  const north = await fleet.host(gateway, { name: 'north', labels: ['gpu', 'zone=a'] });
  const south = await fleet.host(gateway, { name: 'south', labels: ['zone=b', 'gpu'] });
  const index = await gateway.client();
  const here = async () => (await index.request('moorage/listHosts')).items.filter(({ state }) => state === 'here');
  await vi.waitFor(async () => expect(await here()).toHaveLength(2), WAIT);
  return { gateway, north, south, index };
}

const resolved = (index: Client, config?: Record<string, unknown>) =>
  index.request('resolveSessionConfig', { provider: 'demo', ...(config && { config }) });

it('is offered by the index, with the settings that sessions have on the machine that was chosen', async () => {
  const { index } = await twoHosts();
  const { schema, values } = await resolved(index);
  expect(Object.keys(schema.properties)).toEqual(['machine']);
  expect(schema).toMatchObject({
    required: ['machine'],
    properties: { machine: { enum: ['north', 'south', 'gpu', 'zone=a', 'zone=b'] } },
  });
  expect(values).toEqual({});
  const chosen = await resolved(index, { machine: 'south', budget: 3 });
  expect(Object.keys(chosen.schema.properties)).toEqual(expect.arrayContaining(['machine', 'budget']));
  expect(chosen.values).toMatchObject({ machine: 'south', budget: 3 });
  const complete = (property: string, query?: string) =>
    index.request('sessionConfigCompletions', { property, ...(query && { query }), config: { machine: 'south' } });
  expect((await complete('machine', 'zone')).items.map(({ value }) => value)).toEqual(['zone=a', 'zone=b']);
});

it.each([
  ['by its name', 'south', 'south'],
  ['by a label', 'zone=a', 'north'],
  ['by several labels', 'gpu zone=b', 'south'],
])('makes a session on the machine that is chosen %s', async (_how, machine, name) => {
  const { gateway, north, south, index } = await twoHosts();
  const id = name === 'north' ? north.id : south.id;
  const uri = sessionUri.format(randomId());
  await index.request('createSession', { channel: uri, provider: 'demo', config: { machine } });
  // Whoever asks at once is told where it is, before the host has listed it.
  const refusal = await index.session(uri).catch((error: unknown) => error);
  expect(String(refusal)).toContain(`/hosts/${id}/`);
  const list = await index.sessions();
  const listed = () => list.items.map(({ resource, _meta }) => [resource, _meta?.['moorage.host']]);
  await vi.waitFor(() => expect(listed()).toEqual([[uri, { id, name, address: `/hosts/${id}/` }]]), WAIT);
  const there = await gateway.client(`hosts/${id}/`);
  const session = await there.session(uri);
  const chat = await there.chat(await when(session, ({ defaultChat }) => defaultChat));
  expect((await (await chat.send('/say hello')).finished()).state).toBe('complete');
  expect(session.confirmed.config?.values ?? {}).not.toHaveProperty('machine');
});

it('goes to the least busy of those that fit', async () => {
  const { gateway, north, index } = await twoHosts();
  const there = await gateway.client(`hosts/${north.id}/`);
  const busy = sessionUri.format(randomId());
  await there.request('createSession', { channel: busy, provider: 'demo' });
  const session = await there.session(busy);
  const chat = await there.chat(await when(session, ({ defaultChat }) => defaultChat));
  await chat.send('/ask Which one?');
  const running = async () => (await index.request('moorage/listHosts')).items.map((host) => host.runningSessions);
  await vi.waitFor(async () => expect(await running()).toEqual([1, 0]), WAIT);
  const uri = sessionUri.format(randomId());
  await index.request('createSession', { channel: uri, provider: 'demo', config: { machine: 'gpu' } });
  expect(String(await index.session(uri).catch((error: unknown) => error))).not.toContain(north.id);
});

it.each([
  ['none is chosen', undefined, 'choose a machine for the session; there are: north gpu zone=a; south zone=b gpu'],
  ['none fits', 'tpu', 'no machine that is there fits "tpu"'],
  ['none fits all labels', 'zone=a zone=b', 'no machine that is there fits'],
])('refuses to make a session when %s, and makes none', async (_when, machine, problem) => {
  const { index } = await twoHosts();
  const uri = sessionUri.format(randomId());
  const config = machine === undefined ? {} : { machine };
  const refusal = await index
    .request('createSession', { channel: uri, provider: 'demo', config })
    .catch((error) => error);
  expect(refusal).toMatchObject({ code: -32602, message: expect.stringContaining(problem) });
  expect((await index.sessions()).items).toEqual([]);
});

it('makes no second session under a name that one has, on whichever machine that is', async () => {
  const { north, index } = await twoHosts();
  const uri = sessionUri.format(randomId());
  const make = (machine: string) =>
    index.request('createSession', { channel: uri, provider: 'demo', config: { machine } });
  await make('north');
  for (const machine of ['north', 'south'])
    await expect(make(machine)).rejects.toMatchObject({ code: -32003, data: { address: `/hosts/${north.id}/` } });
});

it('lets the host decide who may make one, and passes on why it does not', async () => {
  const { gateway, index } = await twoHosts();
  const { token } = await index.request('moorage/addToken', { name: 'vera', role: 'view' });
  const vera = await gateway.client('', token);
  const make = (client: Client, provider: string) =>
    client
      .request('createSession', { channel: sessionUri.format(randomId()), provider, config: { machine: 'north' } })
      .catch((error: unknown) => String(error));
  expect(await make(vera, 'demo')).toContain('role');
  expect(await make(index, 'nobody')).toContain('nobody');
  expect((await index.sessions()).items).toEqual([]);
});

it('is the only machine there is, if none is chosen', async () => {
  const gateway = await fleet.gateway();
  await fleet.host(gateway);
  const index = await gateway.client();
  await vi.waitFor(async () => expect((await resolved(index)).values).toMatchObject({ machine: 'north' }), WAIT);
  await index.request('createSession', { channel: sessionUri.format(randomId()), provider: 'demo' });
});
