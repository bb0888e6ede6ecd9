import { demoAgent } from '@moorage/agents/demo';
import {
  type ActionOf,
  type ChatState,
  ROOT_URI,
  type RootState,
  reduce,
  type SessionState,
  type Turn,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatState, PATIENT, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const agent = testAgent();
let host: TestHost;
let clock: ManualClock;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  clock = new ManualClock();
  host = await TestHost.start({ clock, agents: [demoAgent({ isolation: 'none' }), agent] });
  client = await host.client();
  ({ session, chat } = await host.session(client));
});
afterEach(() => host.dispose());

async function newChat(params: object = {}): Promise<string> {
  const uri = host.newChatUri();
  await client.request('createChat', { channel: session, chat: uri, ...params });
  return uri;
}

describe('createChat', () => {
  it('lists the chat before it answers (B-137, B-138)', async () => {
    const draft = { ...userMessage(''), model: { id: 'script' }, agent: { uri: 'file:///agent.md' } };
    const uri = await newChat({ title: 'Mine', _meta: { 'moorage.draft': draft } });
    const added = client.actionsOn(session).find((action) => action.type === 'session/chatAdded');
    const entry = { resource: uri, status: 1, origin: { kind: 'user' }, title: 'Mine' };
    expect(added).toMatchObject({ summary: entry });
    const state = await client.subscribe<SessionState>(session);
    expect(state.defaultChat).toBe(chat);
    expect(state.chats.map((listed) => listed.resource)).toEqual([chat, uri]);
    expect(await chatState(client, uri)).toMatchObject({ ...entry, turns: [], draft });
  });

  it('with an initial message starts a turn of the host, also for who subscribes at once (B-139, OQ-49)', async () => {
    const uri = host.newChatUri();
    const initialMessage = userMessage('/say first words');
    const creating = client.request('createChat', { channel: session, chat: uri, initialMessage });
    const { activeTurn, turns } = await client.subscribe<ChatState>(uri);
    await creating;
    const turnId = activeTurn?.id ?? turns[0]?.id ?? '';
    if (activeTurn) await turnEnd(client, uri, turnId);
    const after = await chatState(client, uri);
    expect(after.turns).toMatchObject([{ id: turnId, message: initialMessage, state: 'complete' }]);
    expect(textOf(after.turns[0])).toBe('first words');
    expect(client.envelopes.filter((envelope) => envelope.origin)).toEqual([]);
  });

  it('as a fork copies the turns up to the one that is named (B-140, OQ-50)', async () => {
    const ids = [await turn(client, chat, '/say one'), await turn(client, chat, '/say two')];
    const uri = await newChat({ source: { kind: 'fork', chat, turnId: ids[0] } });
    const { turns, origin } = await chatState(client, uri);
    expect(turns.map((copied) => copied.id)).toEqual([ids[0]]);
    expect(origin).toEqual({ kind: 'fork', chat, turnId: ids[0] });
    await turn(client, uri, '/say elsewhere');
    expect((await chatState(client, chat)).turns.map((kept) => kept.id)).toEqual(ids);
  });

  it('is announced with every agent, forks too, to clients that know of it; side chats are not', async () => {
    const versions = { '1.0.0': true, '0.9.0': true, '0.7.0': true, '0.5.1': true, '0.5.0': false, '0.4.0': false };
    for (const [version, isTold] of Object.entries(versions)) {
      const other = await host.client({ versions: [version] });
      const { agents } = await other.subscribe<RootState>(ROOT_URI);
      const told = agents.map(({ capabilities }) => capabilities?.multipleChats);
      const expected = isTold ? { fork: true } : undefined;
      expect([version, told]).toEqual([version, [expected, expected]]);
    }
  });

  it('refuses what cannot be (OQ-16, OQ-45, OQ-49, OQ-50)', async () => {
    const other = await host.session(client);
    const foreign = await turn(client, other.chat, '/say foreign');
    const running = startTurn(client, chat, '/wait 60000');
    const agentMessage = { text: 'hi', origin: { kind: 'agent' } };
    const cases: [object, number][] = [
      [{ channel: host.newSessionUri() }, -32001],
      [{ channel: chat }, -32602],
      [{ chat: 'ahp-session:/x' }, -32602],
      [{ chat: 'ahp-chat:/a/b' }, -32602],
      [{ chat }, -32010],
      [{ initialMessage: agentMessage }, -32602],
      [{ initialMessage: { text: 'no origin' } }, -32602],
      [{ source: { chat, turnId: foreign } }, -32602],
      [{ source: { kind: 'sideChat', chat, turnId: foreign } }, -32602],
      [{ source: { kind: 'fork', chat, turnId: 'unknown' } }, -32602],
      [{ source: { kind: 'fork', chat, turnId: running } }, -32004],
      [{ source: { kind: 'fork', chat: other.chat, turnId: foreign } }, -32602],
      [{ source: { kind: 'fork', chat: host.newChatUri(), turnId: 'x' } }, -32602],
    ];
    for (const [params, code] of cases) {
      const error = await client.refused('createChat', { channel: session, chat: host.newChatUri(), ...params });
      expect([params, error.code, error.message]).toEqual([params, code, expect.any(String)]);
    }
    expect((await client.subscribe<SessionState>(session)).chats).toHaveLength(1);
  });
});

describe('a turn that is sent while one runs', () => {
  it.each(['1.0.0', '0.9.0', '0.7.0', '0.6.0'])('is refused with what to do, in %s', async (version) => {
    const running = startTurn(client, chat, '/wait 60000');
    await client.action(chat, 'chat/turnStarted');
    const other = await host.client({ versions: [version] });
    await other.subscribe(chat);
    const echo = await other.act(chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'second',
      message: userMessage('/say second'),
    });
    expect(echo).toMatchObject({ rejectionReason: expect.stringContaining('queue the message') });
    expect((await chatState(client, chat)).activeTurn?.id).toBe(running);
    await other.act(chat, {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: 'q',
      message: userMessage('/say queued'),
    });
    await client.act(chat, { type: 'chat/turnCancelled', turnId: running, duration: 1 });
    await expect.poll(async () => (await chatState(client, chat)).queuedMessages ?? [], PATIENT).toHaveLength(1);
  });
});

describe('disposeChat', () => {
  it('cancels its turn, unlists it, and moves the default to the chat that changed last (B-141, B-142, OQ-46)', async () => {
    const older = await newChat();
    const newer = await newChat();
    await client.subscribe(newer);
    clock.advance(1000);
    await turn(client, newer, '/say I changed last');
    startTurn(client, chat, '/wait 60000');
    await client.action(chat, 'chat/turnStarted');
    await client.sync();
    const heard = client.received.length;
    expect(await client.request('disposeChat', { channel: chat })).toBeNull();
    const types = client.received.slice(heard).filter((type) => !/chatUpdated|activity/.test(type));
    expect(types).toEqual(['chat/turnCancelled', 'session/chatRemoved', 'session/defaultChatChanged']);
    const state = await client.subscribe<SessionState>(session);
    expect(state.defaultChat).toBe(newer);
    expect(state.chats.map((listed) => listed.resource)).toEqual([older, newer]);
  });

  it('leaves a URI that is gone but stays taken, also after a restart (OQ-18, OQ-46)', async () => {
    const gone = await newChat();
    await client.request('disposeChat', { channel: gone });
    for (let round = 0; round < 2; round++) {
      for (const method of ['subscribe', 'disposeChat', 'fetchTurns']) {
        expect([method, await client.refused(method, { channel: gone })]).toMatchObject([method, { code: -32008 }]);
      }
      const again = { channel: session, chat: gone };
      expect(await client.refused('createChat', again)).toMatchObject({ code: -32010 });
      const heard = client.received.length;
      client.dispatch(gone, { type: 'chat/turnCancelled', duration: 0, turnId: 'x' });
      await client.sync();
      expect(client.received).toHaveLength(heard);
      await host.restart();
      client = await host.client();
    }
  });

  it('may take the last chat; a new one is the default then (OQ-46)', async () => {
    await client.request('disposeChat', { channel: chat });
    expect(await client.subscribe<SessionState>(session)).toMatchObject({ chats: [], status: 1 });
    expect((await client.subscribe<SessionState>(session)).defaultChat).toBeUndefined();
    const next = await newChat();
    expect((await client.subscribe<SessionState>(session)).defaultChat).toBe(next);
  });

  it('lets go of the agent of that chat alone', async () => {
    const tested = await host.session(client, { provider: 'test' });
    await turn(client, tested.chat, 'hello');
    await client.request('disposeChat', { channel: tested.chat });
    await expect.poll(() => agent.disposed, PATIENT).toEqual([tested.chat]);
  });
});

describe('a view of the newest turns', () => {
  it('begins with a few, and the older ones come on request, to the client that asks (B-159, V-23)', async () => {
    const { chat: long } = await host.session(client, { provider: 'test' });
    const ids: string[] = [];
    for (let count = 0; count < 60; count++) ids.push(await turn(client, long, 'x'));
    const viewer = await host.client();
    const { snapshot } = await viewer.request('subscribe', { channel: long, view: { turns: 4 } });
    let state = snapshot?.state as ChatState;
    expect(state.turns.map(({ id }) => id)).toEqual(ids.slice(-4));
    const more = async () => {
      const { turnsNextCursor: cursor } = state;
      expect(await viewer.request('fetchTurns', { channel: long, ...(cursor !== undefined && { cursor }) })).toEqual(
        {},
      );
      for (const action of viewer.actionsOn(long)) {
        state = reduce('chat', state, action as ActionOf<'chat'>, { now: () => 0 });
      }
    };
    await more();
    expect(state.turns.map(({ id }) => id)).toEqual(ids.slice(-54));
    const last = await turn(client, long, 'and one more');
    await viewer.sync();
    await more();
    expect(state.turns.map(({ id }) => id)).toEqual([...ids, last]);
    expect(state.turnsNextCursor).toBeUndefined();
    expect(client.actionsOn(long).filter(({ type }) => type === 'chat/turnsLoaded')).toEqual([]);
    expect(state.turns).toEqual((await client.subscribe<ChatState>(long)).turns);
  });

  it('asks for nothing with a cursor that is not one, and for nothing without', async () => {
    expect(await client.refused('fetchTurns', { channel: chat, cursor: 'x' })).toMatchObject({ code: -32602 });
    expect(await client.request('fetchTurns', { channel: chat })).toEqual({});
  });
});

describe('fetchTurns', () => {
  it('pages through finished turns, oldest first, at most 200 at once (B-159, OQ-58)', async () => {
    const { chat: long } = await host.session(client, { provider: 'test' });
    const ids: string[] = [];
    for (let count = 0; count < 205; count++) ids.push(await turn(client, long, 'x'));
    const page = async (params: object = {}) => {
      const asked = { channel: long, _meta: { 'moorage.page': params } };
      const { turns, hasMore } = (await client.request('fetchTurns', asked)) as { turns: Turn[]; hasMore: boolean };
      return { ids: turns.map((fetched) => fetched.id), hasMore };
    };
    expect(await page()).toEqual({ ids: ids.slice(-50), hasMore: true });
    expect(await page({ limit: 1000 })).toEqual({ ids: ids.slice(-200), hasMore: true });
    expect(await page({ before: ids[5], limit: 3 })).toEqual({ ids: ids.slice(2, 5), hasMore: true });
    expect(await page({ before: ids[5], limit: 5 })).toEqual({ ids: ids.slice(0, 5), hasMore: false });
    expect(await page({ before: ids[0] })).toEqual({ ids: [], hasMore: false });
  });

  it('leaves out the active turn, and refuses bad pages (OQ-58)', async () => {
    const running = startTurn(client, chat, '/wait 60000');
    await client.action(chat, 'chat/turnStarted');
    const page = (params: object) => ({ channel: chat, _meta: { 'moorage.page': params } });
    expect(await client.request('fetchTurns', page({}))).toEqual({ turns: [], hasMore: false });
    const bad = [
      { limit: 0 },
      { limit: -1 },
      { limit: 1.5 },
      { limit: '3' },
      { before: 'unknown' },
      { before: running },
    ];
    for (const params of bad) {
      const error = await client.refused('fetchTurns', page(params));
      expect([params, error]).toMatchObject([params, { code: -32602 }]);
    }
  });
});

describe('a chat that is attached to a message', () => {
  it('is pinned to its last finished turn, and the agent gets what was said until then', async () => {
    const first = await turn(client, chat, '/say the first answer');
    const { chat: asked } = await host.session(client, { provider: 'test' });
    const attachment = { type: 'chat' as const, label: 'Before', resource: chat };
    const send = (turnId: string, attached: object) =>
      client.act(asked, {
        type: 'chat/turnStarted',
        startedAt: '2026-01-01T00:00:00.000Z',
        turnId,
        message: { ...userMessage('what was that?'), attachments: [attached] },
      });
    const { action } = await send('one', attachment);
    expect(action).toMatchObject({ message: { attachments: [{ ...attachment, endTurn: first }] } });
    await turnEnd(client, asked, 'one');
    await turn(client, chat, '/say a later answer');
    await send('two', { ...attachment, endTurn: first });
    await turnEnd(client, asked, 'two');
    for (const { message } of agent.turns.filter((run) => run.message.text === 'what was that?').slice(-2)) {
      const text = 'User: /say the first answer\n\nAgent: the first answer';
      expect(message.attachments).toEqual([{ type: 'simple', label: 'Before', modelRepresentation: text }]);
    }
    await client.request('disposeChat', { channel: chat });
    await send('three', attachment);
    await turnEnd(client, asked, 'three');
    const [gone] = agent.turns.at(-1)?.message.attachments ?? [];
    expect(gone).toMatchObject({ modelRepresentation: '(a conversation that no longer exists)' });
  });
});
