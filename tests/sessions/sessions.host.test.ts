import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@moorage/agents/demo';
import { type AnnotationsState, type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, textOf, turn } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let clock: ManualClock;
let client: WireClient;
beforeEach(async () => {
  clock = new ManualClock();
  host = await TestHost.start({ clock, agents: [testAgent(), demoAgent({ isolation: 'none' })] });
  client = await host.client({ subscriptions: [ROOT_URI] });
});
afterEach(() => host.dispose());

const list = async () => (await client.request('listSessions', { channel: ROOT_URI })).items;
const create = (params: object) => client.request('createSession', params as { channel: string });

describe('createSession', () => {
  it('needs no more than a URI; the first agent is the default (B-104, OQ-31, OQ-32)', async () => {
    const session = host.newSessionUri();
    expect(await create({ channel: session })).toBeNull();
    const state = await client.subscribe<SessionState>(session);
    const now = new Date(clock.now()).toISOString();
    const annotations = { resource: `${session}/annotations`, annotationCount: 0, entryCount: 0 };
    const about = { provider: 'test', title: 'New session', status: 1, annotations };
    expect(state).toMatchObject({ ...about, activeClients: [], _meta: { 'moorage.createdAt': now } });
    const { resource, title } = state.chats[0] ?? {};
    const chats = [{ resource, title, origin: { kind: 'user' }, status: 1 }];
    expect(await list()).toEqual([
      { ...about, resource: session, createdAt: now, modifiedAt: now, chats, defaultChat: resource },
    ]);
    expect(state.chats).toMatchObject([{ resource: state.defaultChat, status: 1, origin: { kind: 'user' } }]);
    expect(await client.subscribe(`${session}/annotations`)).toEqual({ annotations: [] });
  });

  it('takes over what it is given (B-104, B-105)', async () => {
    const session = host.newSessionUri();
    const activeClient = { clientId: client.clientId, tools: [{ name: 'look' }] };
    const draft = { text: '', origin: { kind: 'user' }, model: { id: 'script' }, agent: { uri: 'file:///agent.md' } };
    const given = { workingDirectories: [host.workspaceUri] };
    await create({
      channel: session,
      provider: 'demo',
      activeClient,
      ...given,
      _meta: { mine: 1, 'moorage.draft': draft },
    });
    const state = await client.subscribe<SessionState>(session);
    expect(state.activeClients).toEqual([activeClient]);
    expect(state).toMatchObject({
      provider: 'demo',
      ...given,
      project: { uri: host.workspaceUri },
      _meta: { mine: 1 },
    });
    expect(state._meta).not.toHaveProperty('moorage.draft');
    expect(await client.subscribe(state.defaultChat ?? '')).toMatchObject({ draft });
  });

  it('may be followed by subscribe without waiting, and tells root subscribers first (B-53, B-102, B-107, OQ-31)', async () => {
    const session = host.newSessionUri();
    const watcher = await host.client({ subscriptions: [ROOT_URI] });
    const creating = create({ channel: session });
    const subscribing = client.snapshot<SessionState>(session);
    await creating;
    expect(client.received.slice(0, 2)).toEqual(['root/sessionAdded', 'root/activeSessionsChanged']);
    const { state, fromSeq } = await subscribing;
    if (state.lifecycle === 'creating') await client.action(session, 'session/ready');
    expect(state.chats).toHaveLength(1);
    const { summary } = await watcher.notification('root/sessionAdded');
    expect(summary).toMatchObject({ resource: session, title: state.title, status: state.status });
    await watcher.sync();
    expect(watcher.received).toEqual(['root/sessionAdded', 'root/activeSessionsChanged']);
    expect(watcher.envelopes).toMatchObject([{ channel: ROOT_URI, action: { activeSessions: 1 } }]);
    const onSession = client.envelopes.filter((envelope) => envelope.channel === session);
    expect(onSession.every((envelope) => envelope.serverSeq > fromSeq)).toBe(true);
  });

  it('accepts a URI of another scheme, as older clients choose them', async () => {
    const session = `copilot:/${crypto.randomUUID()}`;
    await create({ channel: session, provider: 'demo', workingDirectories: [host.workspaceUri] });
    const { defaultChat = '' } = await client.subscribe<SessionState>(session);
    await client.subscribe(defaultChat);
    await turn(client, defaultChat, '/say hi');
    expect((await list()).map((summary) => summary.resource)).toEqual([session]);
    expect(await client.subscribe<AnnotationsState>(`${session}/annotations`)).toEqual({ annotations: [] });
  });

  it('refuses what it cannot do, and leaves nothing behind (B-101, OQ-67, OQ-108)', async () => {
    const outside = pathToFileURL('/').href;
    mkdirSync(join(host.workspace, 'inside'));
    symlinkSync('/', join(host.workspace, 'inside', 'link'));
    writeFileSync(join(host.workspace, 'file'), '');
    const at = (path: string) => ({ workingDirectories: [`${host.workspaceUri}/${path}`] });
    const cases: [object, number, object?][] = [
      [{ provider: 'nobody' }, -32002],
      [{ workingDirectories: [outside] }, -32009, {}], // no grant would change it (B-293)
      [at('inside/link'), -32009, {}],
      [at('inside/../..'), -32009],
      [at('no/such/folder'), -32008],
      [at('file'), -32008],
      [{ workingDirectories: ['https://example.com/'] }, -32602],
      [{ workingDirectories: [host.workspace] }, -32602],
      [{ workingDirectories: host.workspaceUri }, -32602],
      [{ activeClient: { clientId: 'somebody', tools: [] } }, -32602],
      [{ _meta: { 'moorage.fork': { session: host.newSessionUri(), turnId: 't' } } }, -32001],
      [{ _meta: { 'moorage.fork': { session: host.newSessionUri() } } }, -32602],
      [{ _meta: { 'moorage.draft': 7 } }, -32602],
      [{ channel: 'ahp-session:/a/b' }, -32602],
      [{ channel: 'ahp-session:/' }, -32602],
      [{ channel: 'ahp-session:' }, -32602],
      [{ channel: 'ahp-terminal:/x' }, -32602],
      [{ channel: 'mcp:/x' }, -32602],
      [{ channel: 'not a uri' }, -32602],
      [{ channel: ROOT_URI }, -32602],
    ];
    const session = host.newSessionUri();
    for (const [params, code, data] of cases) {
      const error = await client.refused('createSession', { channel: session, ...params });
      expect([params, error.code]).toEqual([params, code]);
      if (data) expect([params, error.data]).toEqual([params, data]);
    }
    expect(await client.refused('subscribe', { channel: session })).toMatchObject({ code: -32001 });
    expect(await list()).toEqual([]);
    expect(client.received).toEqual([]);
    await create({ channel: session });
    expect(await client.refused('createSession', { channel: session })).toMatchObject({ code: -32003 });
  });
});

describe('listSessions', () => {
  it('gives all sessions, the newest change first, archived ones too (B-93, OQ-42, V-4)', async () => {
    const uris: string[] = [];
    for (let count = 0; count < 3; count++) {
      uris.push((await host.session(client)).session);
      clock.advance(1000);
    }
    const [first = '', second = '', third = ''] = uris;
    expect((await list()).map((summary) => summary.resource)).toEqual([third, second, first]);
    const { defaultChat = '' } = await client.subscribe<SessionState>(first);
    await turn(client, defaultChat, '/say now the newest');
    await accepted(client, second, { type: 'session/isArchivedChanged', isArchived: true });
    const all = await list();
    expect(all.map((summary) => summary.resource)).toEqual([first, third, second]);
    expect(all[2]?.status).toBe(65);
  });

  it('gives them in pages, each once, while others change', async () => {
    const uris: string[] = [];
    for (let count = 0; count < 5; count++) {
      uris.unshift((await host.session(client)).session);
      clock.advance(1000);
    }
    const page = async (cursor?: string) => {
      const { items, nextCursor } = await client.request('listSessions', {
        channel: ROOT_URI,
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      return { uris: items.map((summary) => summary.resource), nextCursor };
    };
    const first = await page();
    expect(first.uris).toEqual(uris.slice(0, 2));
    const moved = await client.subscribe<SessionState>(uris[1] ?? '');
    await turn(client, moved.defaultChat ?? '', '/say to the front');
    const second = await page(first.nextCursor);
    expect(second.uris).toEqual(uris.slice(2, 4));
    const last = await page(second.nextCursor);
    expect(last).toEqual({ uris: uris.slice(4), nextCursor: undefined });
    expect(await client.refused('listSessions', { channel: ROOT_URI, cursor: 'mine' })).toMatchObject({ code: -32602 });
    expect(await client.refused('listSessions', { channel: ROOT_URI, limit: 0 })).toMatchObject({ code: -32602 });
  });
});

describe('a fork of a session', () => {
  it('starts with the turns up to the one that is named, and goes its own way (B-88, B-109, OQ-33)', async () => {
    const source = await host.session(client);
    const ids = [await turn(client, source.chat, '/say one'), await turn(client, source.chat, '/say two')];
    await turn(client, source.chat, '/say three');
    const fork = host.newSessionUri();
    await create({ channel: fork, _meta: { 'moorage.fork': { session: source.session, turnId: ids[1] } } });
    await client.notification('root/sessionAdded', ({ summary }) => summary.resource === fork);
    const state = await client.subscribe<SessionState>(fork);
    expect(state).toMatchObject({ provider: 'demo', workingDirectories: [host.workspaceUri] });
    const chat = state.defaultChat ?? '';
    const { turns } = await client.subscribe<ChatState>(chat);
    expect(turns.map((copied) => copied.id)).toEqual(ids);
    expect(turns.map(textOf)).toEqual(['one', 'two']);
    expect(state.chats[0]?.origin).toEqual({ kind: 'fork', chat: source.chat, turnId: ids[1] });
    await turn(client, chat, '/say only here');
    expect((await client.subscribe<ChatState>(source.chat)).turns).toHaveLength(3);
  });

  it('finds the turn in any chat, and refuses one that is unknown or still runs (OQ-33, OQ-50)', async () => {
    const source = await host.session(client);
    const second = host.newChatUri();
    await client.request('createChat', { channel: source.session, chat: second });
    await client.subscribe(second);
    const turnId = await turn(client, second, '/say elsewhere');
    const fork = (id: string) => ({
      channel: host.newSessionUri(),
      _meta: { 'moorage.fork': { session: source.session, turnId: id } },
    });
    await create(fork(turnId));
    expect(await client.refused('createSession', fork('unknown'))).toMatchObject({ code: -32602 });
    await accepted(client, second, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'running',
      message: { text: '/wait 60000', origin: { kind: 'user' } },
    });
    expect(await client.refused('createSession', fork('running'))).toMatchObject({ code: -32004 });
  });
});
