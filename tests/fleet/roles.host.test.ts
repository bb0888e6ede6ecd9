import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect, randomId, sessionUri, when } from '@moorage/client';
import {
  createHost,
  createMemoryStore,
  fileAudit,
  filePeople,
  listenWebSocket,
  nodeClock,
  nodeFolders,
  userCredential,
  webPush,
} from '@moorage/host';
import { annotationsUri, ROOT_URI } from '@moorage/protocol';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { InProcessFleet } from '../support/fleet/in-process.js';

const WAIT = { timeout: 30_000, interval: 20 };
const fleet = new InProcessFleet();
afterEach(() => fleet.end());
afterAll(() => fleet.database.close());

const ROLES = ['view', 'review', 'steer', 'admin'] as const;

/** A fleet with a host, on which an admin has a session with a turn. */
async function fleetWithSession() {
  const gateway = await fleet.gateway();
  const file = (name: string) => join(tmpdir(), `moorage-${name}-${crypto.randomUUID()}`);
  const people = filePeople({ file: file('people'), clock: nodeClock });
  const audit = fileAudit(file('audit'));
  const pairing = { create: () => ({ code: 'of the owner', expiresAt: 0 }) };
  const push = webPush({ keyFile: file('push') });
  const notifications = { push };
  const { id } = await fleet.host(gateway, {
    people: { people, page: () => undefined },
    audit,
    pairing,
    notifications,
  });
  fleet.ends.push(() => people.close());
  const index = await gateway.client();
  const path = `hosts/${id}/`;
  const admin = await gateway.client(path);
  const uri = sessionUri.format(randomId());
  await admin.request('createSession', { channel: uri, provider: 'demo' });
  const chat = await admin.chat(await when(await admin.session(uri), ({ defaultChat }) => defaultChat));
  const user = async (name: string, role: (typeof ROLES)[number]) => {
    const { token } = await index.request('moorage/addToken', { name, role });
    return { token, client: await gateway.client(path, token) };
  };
  return { gateway, index, admin, path, host: id, uri, chat, user };
}

/** What is said to an attempt, if it is refused for the role. */
async function lacking(attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return message.includes('needs the role') ? message : undefined;
  }
}

describe('a user of the fleet at a host', () => {
  it('may do what the role allows, and others see the name', async () => {
    const { user, uri, chat } = await fleetWithSession();
    const attempts: readonly ((client: Client) => Promise<unknown>)[] = [
      (client) => client.chat(chat.uri),
      async (client) =>
        (await client.annotations(annotationsUri(uri))).dispatch({ type: 'annotations/removed', annotationId: 'none' }),
      async (client) => (await (await client.chat(chat.uri)).send('/say hi')).finished(),
      (client) => client.request('moorage/listPeople'),
    ];
    for (const role of ROLES) {
      const { client } = await user(`a-${role}`, role);
      expect(client.hostInfo._meta?.['moorage.person']).toEqual({ name: `a-${role}`, role });
      const refused = await Promise.all(attempts.map((attempt) => lacking(attempt(client))));
      const needed = ROLES.slice(ROLES.indexOf(role) + 1);
      const may = ROLES.length - needed.length;
      expect(refused).toEqual([
        ...Array.from({ length: may }, () => undefined),
        ...needed.map((wanted) =>
          expect.stringContaining(`this needs the role ${wanted}, and a-${role} has the role ${role}`),
        ),
      ]);
    }
    const senders = () => chat.confirmed.turns.map(({ message }) => message._meta?.['moorage.person']);
    await vi.waitFor(() => expect(senders()).toEqual(['a-steer', 'a-admin']), WAIT);
  });

  it('gets nothing that would outlive being revoked: no code that lets somebody in, and no push messages', async () => {
    const { user } = await fleetWithSession();
    const { client } = await user('alice', 'view');
    await expect(client.request('moorage/createPairingCode', {})).rejects.toThrow(
      'the fleet lets you in, not this host',
    );
    const subscription = { endpoint: 'https://push.example/x', keys: { p256dh: 'x', auth: 'y' } };
    await expect(client.request('moorage/subscribePush', { subscription, topics: ['done'] })).rejects.toThrow(
      'push messages are for people of the host itself',
    );
  });

  it('shares no more than the role has', async () => {
    const { user, uri } = await fleetWithSession();
    const { client } = await user('alice', 'steer');
    const share = (role: (typeof ROLES)[number]) =>
      client.request('moorage/shareSession', { channel: uri, role, expiresAt: Date.now() + 60_000 });
    expect((await share('steer')).name).toMatch(/^link-/);
    await expect(share('admin')).rejects.toThrow('alice cannot give away the role admin, only steer');
  });

  it('has the role that an admin gave last, also where they are connected already', async () => {
    const { user, index, chat } = await fleetWithSession();
    const { client } = await user('alice', 'view');
    const mine = await client.chat(chat.uri);
    expect(await lacking(mine.send('/say no'))).toContain('alice has the role view');
    await index.request('moorage/setTokenRole', { name: 'alice', role: 'steer' });
    const role = () => client.hostInfo._meta?.['moorage.person'];
    await vi.waitFor(() => expect(role()).toEqual({ name: 'alice', role: 'steer' }), WAIT);
    await (await mine.send('/say yes')).finished();
    await index.request('moorage/setTokenRole', { name: 'alice', role: 'review' });
    await vi.waitFor(() => expect(role()).toEqual({ name: 'alice', role: 'review' }), WAIT);
    expect(await lacking(mine.send('/say no more'))).toContain('alice has the role review');
    expect(chat.confirmed.turns.map(({ message }) => message.text)).toEqual(['/say yes']);
  });

  it('is in the audit of the host by name', async () => {
    const { user, admin, uri } = await fleetWithSession();
    const { client } = await user('alice', 'steer');
    await (await client.session(uri)).dispatch({ type: 'session/titleChanged', title: 'Mine' });
    const { items } = await admin.request('moorage/listAudit');
    expect(items.map(({ person, what }) => [person, what])).toEqual([
      ['admin', 'createSession'],
      ['alice', 'session/titleChanged'],
    ]);
  });
});

describe('somebody whom a provider has signed in at the gateway', () => {
  const ada = { account: 'https://login.example/ 1', name: 'ada@example.com', role: 'steer' } as const;
  const later = () => Date.now() + 3_600_000;

  it('has the role at the hosts, and is out when revoked, for good', async () => {
    const { gateway, index, path } = await fleetWithSession();
    const token = await gateway.admit({ ...ada, expiresAt: later() });
    const second = await gateway.admit({ ...ada, expiresAt: later() });
    const client = await gateway.client(path, token);
    const person = { name: ada.name, role: 'steer' };
    expect(client.hostInfo._meta?.['moorage.person']).toEqual(person);
    expect((await gateway.client('', second)).hostInfo._meta?.['moorage.person']).toEqual(person);
    const { items } = await index.request('moorage/listTokens');
    expect(items).toEqual([
      { name: 'admin', role: 'admin', isAdmin: true },
      { ...person, isAdmin: false, expiresAt: expect.any(Number) },
    ]);
    const ended = new Promise((resolve) => client.onStatus((status) => status === 'closed' && resolve(status)));
    await index.request('moorage/revokeToken', { name: ada.name });
    expect(await ended).toBe('closed');
    for (const shown of [token, second]) await expect(gateway.client('', shown)).rejects.toThrow('401');
    await expect(gateway.admit({ ...ada, expiresAt: later() })).rejects.toThrow('your access was revoked');
  });

  it('is out when the time is over, and is no admin whom the fleet can rely on', async () => {
    const { gateway, index } = await fleetWithSession();
    const token = await gateway.admit({ ...ada, role: 'admin', expiresAt: later() });
    await expect(index.request('moorage/revokeToken', { name: 'admin' })).rejects.toThrow('the last token of an admin');
    const client = await gateway.client('', token);
    expect((await client.request('moorage/inviteHost', { labels: [] })).token).toBeDefined();
    const ended = new Promise((resolve) => client.onStatus((status) => status === 'closed' && resolve(status)));
    await fleet.database.execute("update sign_in set expires_at = now() - interval '1 second'");
    expect(await ended).toBe('closed');
    await expect(gateway.client('', token)).rejects.toThrow('401');
  });

  it('is nobody else who has the same name', async () => {
    const { gateway, index, user } = await fleetWithSession();
    await user('bob@example.com', 'admin');
    const bob = { account: 'https://login.example/ 2', name: 'bob@example.com', role: 'view' } as const;
    await expect(gateway.admit({ ...bob, expiresAt: later() })).rejects.toThrow(
      'somebody else called "bob@example.com"',
    );
    await gateway.admit({ ...ada, expiresAt: later() });
    const other = { ...ada, account: 'https://login.example/ 3' };
    await expect(gateway.admit({ ...other, expiresAt: later() })).rejects.toThrow('somebody else');
    await expect(index.request('moorage/addToken', { name: ada.name, role: 'view' })).rejects.toThrow('a token named');
  });
});

it('lets nobody in who calls himself a user of the fleet, without a gateway that says so', async () => {
  const host = createHost({ store: createMemoryStore(), agents: [], folders: nodeFolders([]) });
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    credentials: { check: (name) => userCredential(name) },
    onClient: host.accept,
  });
  fleet.ends.push(
    () => host.close(),
    () => listener.close(),
  );
  await expect(connect({ url: listener.address, token: 'alice', onError: () => {} })).rejects.toThrow(
    'this access has ended',
  );
});

describe('the gateway itself', () => {
  it('refuses at the index what the role may not do', async () => {
    const { gateway, user, uri } = await fleetWithSession();
    const { token } = await user('alice', 'steer');
    const alice = await gateway.client('', token);
    expect(alice.hostInfo._meta?.['moorage.person']).toEqual({ name: 'alice', role: 'steer' });
    expect((await alice.request('moorage/listHosts')).items).toHaveLength(1);
    for (const asked of [
      alice.request('moorage/inviteHost', { labels: [] }),
      alice.request('moorage/revokeHost', { host: 'x' }),
      alice.request('moorage/listTokens'),
      alice.request('moorage/addToken', { name: 'eve', role: 'admin' }),
      alice.request('moorage/setTokenRole', { name: 'alice', role: 'admin' }),
      alice.request('moorage/revokeToken', { name: 'admin' }),
      alice.request('moorage/listAudit'),
    ])
      expect(await lacking(asked)).toBe('this needs the role admin, and alice has the role steer');
    const viewer = await gateway.client('', (await user('bob', 'view')).token);
    expect(await lacking(viewer.request('disposeSession', { channel: uri }))).toContain('needs the role steer');
    await expect(alice.request('disposeSession', { channel: uri })).rejects.toThrow('the session is served at');
  });

  it('checks what admins ask for, and keeps one who can manage the fleet', async () => {
    const { client } = await fleet.gateway();
    const admin = await client();
    const { token } = await admin.request('moorage/addToken', { name: 'alice', role: 'view' });
    const alice = await client('', token);
    const asked = (name: string) => admin.request('moorage/addToken', { name, role: 'view' });
    await expect(asked('alice')).rejects.toThrow('a token named alice');
    await expect(asked('a b')).rejects.toThrow('a name has');
    await expect(admin.request('moorage/addToken', { name: 'x', role: 'god' as 'view' })).rejects.toThrow(
      'params/role',
    );
    await expect(admin.request('moorage/inviteHost', { labels: ['a b'] })).rejects.toThrow('labels are');
    await expect(admin.request('moorage/inviteHost', { labels: [], validMs: 1e12 })).rejects.toThrow('30 days');
    await expect(admin.request('moorage/revokeHost', { host: 'x' })).rejects.toThrow('there is no host x');
    const last = 'the last token of an admin';
    await expect(admin.request('moorage/revokeToken', { name: 'admin' })).rejects.toThrow(last);
    await expect(admin.request('moorage/setTokenRole', { name: 'admin', role: 'steer' })).rejects.toThrow(last);
    await expect(admin.request('moorage/setTokenRole', { name: 'bob', role: 'steer' })).rejects.toThrow('named bob');
    expect((await admin.request('moorage/listTokens')).items).toEqual([
      { name: 'admin', role: 'admin', isAdmin: true },
      { name: 'alice', role: 'view', isAdmin: false },
    ]);
    const ended = new Promise((resolve) => alice.onStatus((status) => status === 'closed' && resolve(status)));
    await admin.request('moorage/revokeToken', { name: 'alice' });
    expect(await ended).toBe('closed');
  });

  it('keeps who did what there, and shows if that was changed', async () => {
    const { client, audit } = await fleet.gateway();
    const admin = await client();
    await admin.request('moorage/addToken', { name: 'alice', role: 'view' });
    await admin.request('moorage/setTokenRole', { name: 'alice', role: 'steer' });
    await admin.request('moorage/revokeToken', { name: 'alice' });
    await expect(admin.request('moorage/revokeToken', { name: 'alice' })).rejects.toThrow('no token');
    await audit.settled();
    const { items, isIntact } = await admin.request('moorage/listAudit');
    expect(items.map(({ person, what, about, channel }) => [person, what, about, channel])).toEqual([
      ['admin', 'moorage/addToken', { name: 'alice', role: 'view' }, ROOT_URI],
      ['admin', 'moorage/setTokenRole', { name: 'alice', role: 'steer' }, ROOT_URI],
      ['admin', 'moorage/revokeToken', { name: 'alice' }, ROOT_URI],
    ]);
    expect(isIntact).toBe(true);
    const { database } = fleet;
    for (const change of ["update gateway_audit set entry = '{}'", 'delete from gateway_audit where id = 2'])
      await expect(database.execute(change)).rejects.toThrow('can only be added to');
    await database.execute('alter table gateway_audit disable trigger stays; delete from gateway_audit where id = 2');
    expect((await admin.request('moorage/listAudit')).isIntact).toBe(false);
    await expect(admin.request('moorage/listAudit', { cursor: 'x' })).rejects.toThrow('params/cursor');
  });
});
