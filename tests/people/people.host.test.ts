import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type FilePeople, filePeople, nodeClock } from '@moorage/host';
import { AhpErrorCodes, annotationsUri, ROOT_URI, type RootState, terminalUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, callsOf, chatState, startTurn, turn, turnEnd } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const ROLES = ['view', 'review', 'steer', 'admin'] as const;
type Role = (typeof ROLES)[number];
const HOUR = 3_600_000;

let people: FilePeople;
let host: TestHost;
let owner: WireClient;
let session: string;
let chat: string;

beforeEach(async () => {
  people = filePeople({ file: join(tmpdir(), `moorage-people-${crypto.randomUUID()}.json`), clock: nodeClock });
  host = await TestHost.start({ people, isSearchable: true });
  owner = await host.client();
  ({ session, chat } = await host.session(owner));
});
afterEach(async () => {
  people.close();
  await host.dispose();
});

async function somebody(role: Role, name: string = role): Promise<WireClient> {
  const { secret } = await owner.request('moorage/invitePerson', { channel: ROOT_URI, name, role });
  return host.client({ token: people.redeem(secret) ?? '' });
}

/** What the host says to an attempt: undefined if it allows it, whatever else it may say. */
type Attempt = (client: WireClient) => Promise<string | undefined>;

const action =
  (channel: () => string, make: () => object): Attempt =>
  async (client) => {
    await client.subscribe(channel());
    const { rejectionReason: reason } = await client.act(channel(), make());
    return reason?.startsWith('this needs the role') ? reason : undefined;
  };
const request =
  (method: string, params: () => object): Attempt =>
  async (client) => {
    try {
      await client.peer.request(method, params() as never);
      return undefined;
    } catch (error) {
      const { code, message } = error as { code: number; message: string };
      return code === AhpErrorCodes.PermissionDenied && message.startsWith('this needs the role') ? message : undefined;
    }
  };
const newTerminal = () => terminalUri.format(crypto.randomUUID());

/** The least role for what somebody wants to do. */
const TABLE: readonly (readonly [string, Role, Attempt])[] = [
  ['list sessions', 'view', request('listSessions', () => ({ channel: ROOT_URI }))],
  ['read a conversation', 'view', request('subscribe', () => ({ channel: chat }))],
  [
    'read a file',
    'view',
    request('resourceRead', () => ({ channel: ROOT_URI, uri: pathToFileURL(join(host.workspace, 'a')).href })),
  ],
  [
    'comment',
    'review',
    action(
      () => annotationsUri(session),
      () => ({ type: 'annotations/removed', annotationId: 'none' }),
    ),
  ],
  [
    'mark a session as read',
    'review',
    action(
      () => session,
      () => ({ type: 'session/isReadChanged', isRead: true }),
    ),
  ],
  [
    'rename a session',
    'steer',
    action(
      () => session,
      () => ({ type: 'session/titleChanged', title: 'New' }),
    ),
  ],
  [
    'send',
    'steer',
    action(
      () => chat,
      () => ({
        type: 'chat/turnStarted',
        turnId: crypto.randomUUID(),
        message: { text: '/say hi', origin: { kind: 'user' } },
        startedAt: new Date().toISOString(),
      }),
    ),
  ],
  [
    'begin a session',
    'steer',
    request('createSession', () => ({
      channel: host.newSessionUri(),
      provider: 'demo',
      workingDirectories: [host.workspaceUri],
    })),
  ],
  [
    'write a file',
    'steer',
    request('resourceWrite', () => ({
      channel: ROOT_URI,
      uri: pathToFileURL(join(host.workspace, 'b')).href,
      data: '',
      encoding: 'utf-8',
    })),
  ],
  [
    'open a terminal of a session',
    'steer',
    request('createTerminal', () => ({ channel: newTerminal(), claim: { kind: 'session', session, chat } })),
  ],
  [
    'share a session',
    'steer',
    request('moorage/shareSession', () => ({ channel: session, role: 'view', expiresAt: Date.now() + HOUR })),
  ],
  [
    'open a terminal outside sessions',
    'admin',
    request('createTerminal', () => ({ channel: newTerminal(), claim: { kind: 'client', clientId: 'x' } })),
  ],
  [
    'change a setting of the host',
    'admin',
    action(
      () => ROOT_URI,
      () => ({ type: 'root/configChanged', config: {} }),
    ),
  ],
  ['list people', 'admin', request('moorage/listPeople', () => ({ channel: ROOT_URI }))],
  [
    'invite somebody',
    'admin',
    request('moorage/invitePerson', () => ({ channel: ROOT_URI, name: crypto.randomUUID(), role: 'view' })),
  ],
  ['revoke somebody', 'admin', request('moorage/revokePerson', () => ({ channel: ROOT_URI, name: 'nobody' }))],
];

describe('a role', () => {
  it.each(ROLES)('%s may do what it says, and nothing more', async (role) => {
    const client = await somebody(role);
    for (const [what, needed, attempt] of TABLE) {
      const may = ROLES.indexOf(role) >= ROLES.indexOf(needed);
      const said = await attempt(client);
      expect([what, said]).toEqual([
        what,
        may ? undefined : `this needs the role ${needed}, and ${role} has the role ${role}`,
      ]);
    }
  });

  it('is told in the handshake', async () => {
    const { secret } = await owner.request('moorage/invitePerson', { channel: ROOT_URI, name: 'Ada', role: 'review' });
    const greet = async (token: string) => {
      const client = await host.rawClient({ token });
      const about = { clientId: client.clientId, protocolVersions: ['1.0.0'] };
      return (await client.request('initialize', { channel: ROOT_URI, ...about }))._meta;
    };
    expect(await greet(people.redeem(secret) ?? '')).toMatchObject({
      'moorage.person': { name: 'Ada', role: 'review' },
    });
    expect(await greet(host.token)).not.toHaveProperty('moorage.person');
  });

  it('keeps a refused message out of the conversation', async () => {
    const client = await somebody('view');
    await client.subscribe(chat);
    startTurn(client, chat, '/say not mine to say');
    await client.sync();
    expect((await chatState(owner, chat)).turns).toEqual([]);
  });

  it('keeps what others type into a terminal outside sessions from being seen', async () => {
    const terminal = newTerminal();
    await owner.request('createTerminal', { channel: terminal, claim: { kind: 'client', clientId: owner.clientId } });
    const client = await somebody('steer');
    expect(await client.refused('subscribe', { channel: terminal })).toMatchObject({
      code: AhpErrorCodes.PermissionDenied,
    });
  });
});

describe('somebody who is revoked', () => {
  it('is out at once, and cannot come back', async () => {
    const client = await somebody('admin', 'Ada');
    await owner.request('moorage/revokePerson', { channel: ROOT_URI, name: 'Ada' });
    expect((await client.closed).code).toBe(1008);
    await expect(host.reconnect(client, [])).rejects.toThrow();
    expect((await owner.request('moorage/listPeople', { channel: ROOT_URI })).items).toEqual([]);
  });
});

describe('a link to a session', () => {
  let guest: WireClient;
  let token: string;
  let other: { session: string; chat: string };
  beforeEach(async () => {
    other = await host.session(owner);
    await turn(owner, other.chat, '/say a secret');
    const expiresAt = Date.now() + HOUR;
    ({ token } = await owner.request('moorage/shareSession', { channel: session, role: 'steer', expiresAt }));
    guest = await host.client({ token, subscriptions: [ROOT_URI] });
  });

  it('shows that session, and nothing of others', async () => {
    const { items } = await guest.request('listSessions', { channel: ROOT_URI });
    expect(items.map(({ resource }) => resource)).toEqual([session]);
    await guest.subscribe(session);
    for (const channel of [other.session, other.chat, annotationsUri(other.session)])
      expect(await guest.refused('subscribe', { channel })).toMatchObject({
        message: 'this link is for one session only',
      });
    await accepted(owner, other.session, { type: 'session/titleChanged', title: 'A secret' });
    await accepted(owner, session, { type: 'session/titleChanged', title: 'Shared' });
    await owner.request('disposeSession', { channel: other.session });
    await guest.sync();
    const heard = JSON.stringify(guest.notifications);
    expect(heard).toContain('Shared');
    expect(heard).not.toContain(other.session);
  });

  it('shows no terminals but those of that session', async () => {
    const terminal = async (claim: object) => {
      const channel = newTerminal();
      await owner.request('createTerminal', { channel, claim, name: 'a secret place' } as never);
      return channel;
    };
    const mine = await terminal({ kind: 'client', clientId: owner.clientId });
    const own = await terminal({ kind: 'session', session, chat });
    const others = await terminal({ kind: 'session', ...other });
    await guest.sync();
    const heard = JSON.stringify(guest.envelopes);
    expect(heard).toContain(own);
    for (const uri of [mine, others]) expect(heard).not.toContain(uri);
    const shown = (await guest.request('subscribe', { channel: ROOT_URI })).snapshot?.state as RootState;
    expect(shown.terminals?.map(({ resource }) => resource)).toEqual([own]);
    const seen = guest.lastSeen;
    const later = await terminal({ kind: 'client', clientId: owner.clientId });
    const again = await host.rawClient({ clientId: guest.clientId, token });
    const asked = { channel: ROOT_URI, clientId: guest.clientId, lastSeenServerSeq: seen, subscriptions: [ROOT_URI] };
    const back = await again.request('reconnect', asked as never);
    expect(back.type).toBe('replay');
    expect(JSON.stringify(back)).toContain('root/terminalsChanged');
    for (const uri of [mine, others, later]) expect(JSON.stringify(back)).not.toContain(uri);
  });

  it('does what its role may in that session, and nothing elsewhere', async () => {
    await guest.subscribe(chat);
    await turn(guest, chat, '/say hi');
    for (const [method, params] of [
      ['createSession', { channel: host.newSessionUri(), provider: 'demo' }],
      ['createChat', { channel: other.session, chat: host.newChatUri() }],
      ['fetchTurns', { channel: other.chat }],
      ['moorage/searchConversations', { channel: ROOT_URI, query: 'secret' }],
      ['moorage/shareSession', { channel: session, role: 'view', expiresAt: Date.now() + 2 * HOUR }],
      ['createTerminal', { channel: newTerminal(), claim: { kind: 'session', ...other } }],
    ] as const)
      expect([method, (await guest.refused(method, params)).code]).toEqual([method, AhpErrorCodes.PermissionDenied]);
  });

  it('reads files of that session only', async () => {
    const outside = join(host.workspace, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    const inside = join(host.workspace, 'inside');
    mkdirSync(inside);
    writeFileSync(join(inside, 'open.txt'), 'open');
    const narrow = await host.session(owner, { workingDirectories: [pathToFileURL(inside).href] });
    const expiresAt = Date.now() + HOUR;
    const { token } = await owner.request('moorage/shareSession', { channel: narrow.session, role: 'view', expiresAt });
    const reader = await host.client({ token });
    const read = (path: string) => ({ channel: ROOT_URI, uri: pathToFileURL(path).href, encoding: 'utf-8' });
    expect(await reader.request('resourceRead', read(join(inside, 'open.txt')) as never)).toMatchObject({
      data: 'open',
    });
    expect((await reader.refused('resourceRead', read(join(outside, 'secret.txt')))).code).toBe(
      AhpErrorCodes.PermissionDenied,
    );
    expect((await reader.refused('resourceRead', read(`${inside}/../outside/secret.txt`))).code).toBe(
      AhpErrorCodes.PermissionDenied,
    );
  });
});

describe('a name', () => {
  let ada: WireClient;
  beforeEach(async () => {
    ada = await somebody('steer', 'Ada');
    for (const channel of [session, chat, annotationsUri(session)]) await ada.subscribe(channel);
  });

  it('is on what somebody sends, whatever the client says', async () => {
    const message = { text: '/say hi', origin: { kind: 'user' }, _meta: { 'moorage.person': 'Eve', other: 1 } };
    const turnId = crypto.randomUUID();
    const startedAt = new Date().toISOString();
    await accepted(ada, chat, { type: 'chat/turnStarted', turnId, message, startedAt });
    await turnEnd(owner, chat, turnId);
    await turn(owner, chat, '/say mine');
    const { turns } = await chatState(owner, chat);
    expect(turns.map((one) => one.message._meta)).toEqual([{ 'moorage.person': 'Ada', other: 1 }, undefined]);
  });

  it('is on what somebody approves', async () => {
    const turnId = startTurn(owner, chat, '/run echo hi');
    const { toolCallId } = await ada.action(chat, 'chat/toolCallReady');
    await accepted(ada, chat, approval(turnId, toolCallId));
    await turnEnd(owner, chat, turnId);
    const [call] = callsOf((await chatState(owner, chat)).turns[0]?.responseParts);
    expect(call?._meta).toMatchObject({ 'moorage.decidedBy': 'Ada' });
  });

  it('is on what somebody answers', async () => {
    const turnId = startTurn(owner, chat, '/ask Which? | this | that');
    const { id: requestId } = (await owner.action(chat, 'chat/inputRequested')).request;
    const forged = { 'moorage.decidedBy': 'Eve' };
    await accepted(ada, chat, { type: 'chat/inputCompleted', requestId, response: 'decline', _meta: forged });
    await turnEnd(owner, chat, turnId);
    const isQuestion = ({ kind }: { kind: string }) => kind === 'inputRequest';
    const part = (await chatState(owner, chat)).turns[0]?.responseParts.find(isQuestion);
    expect(part).toMatchObject({ response: 'decline', _meta: { 'moorage.decidedBy': 'Ada' } });
  });

  it('is on a comment, and stays on it when somebody else answers', async () => {
    const channel = annotationsUri(session);
    await owner.subscribe(channel);
    const annotation = (entries: object[]) => ({
      type: 'annotations/set',
      annotation: {
        id: 'one',
        resolved: false,
        resource: pathToFileURL(join(host.workspace, 'a.txt')).href,
        origin: { session },
        entries,
      },
    });
    const first = { id: 'first', text: 'Why?', _meta: { 'moorage.author': { name: 'Eve' } } };
    const { action: set } = await accepted(ada, channel, annotation([first]));
    const [stored] = (set as unknown as { annotation: { entries: object[] } }).annotation.entries;
    expect(stored).toMatchObject({ _meta: { 'moorage.author': { name: 'Ada', clientId: ada.clientId } } });
    const bob = await somebody('review', 'Bob');
    await bob.subscribe(channel);
    const { action: again } = await accepted(
      bob,
      channel,
      annotation([stored ?? {}, { id: 'second', text: 'Because.' }]),
    );
    expect((again as unknown as { annotation: { entries: object[] } }).annotation.entries).toMatchObject([
      { _meta: { 'moorage.author': { name: 'Ada' } } },
      { _meta: { 'moorage.author': { name: 'Bob' } } },
    ]);
  });

  it('is in the list of who watches', async () => {
    const { items } = await owner.request('moorage/listWatchers', { channel: session });
    expect(items).toEqual(
      expect.arrayContaining([
        { clientId: owner.clientId, program: 'moorage-tests' },
        { clientId: ada.clientId, name: 'Ada', program: 'moorage-tests' },
      ]),
    );
    await host.leave(ada);
    expect((await owner.request('moorage/listWatchers', { channel: session })).items).toHaveLength(1);
  });
});
