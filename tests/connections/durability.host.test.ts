import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatState, openRequests, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  approval,
  callsOf,
  chatState,
  endedIn,
  shownIn,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { stopped, testAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

/** Everything here must hold both when the host was stopped and when it died. */
const ENDS = ['stopped', 'killed'] as const;

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
const more: TestHost[] = [];
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client();
  ({ session, chat } = await host.session(client));
});
afterEach(async () => {
  for (const other of more.splice(0)) await other.dispose();
  await host.dispose();
});

/** The next life of the host, with a client of it. */
async function nextLife(end: (typeof ENDS)[number], options: Parameters<TestHost['afterCrash']>[0] = {}) {
  if (end === 'killed') {
    const next = await host.afterCrash(options);
    more.push(next);
    return next.client();
  }
  await host.restart();
  return host.client();
}

const queue = (id: string) => ({
  type: 'chat/pendingMessageSet',
  kind: 'queued',
  id,
  message: userMessage(`/say ${id}`),
});

describe.each(ENDS)('after the host was %s', (end) => {
  it('sessions, chats and turns are as they were', async () => {
    await turn(client, chat, '/think hm\n/say hello\n/read nothing.txt\n/usage 1 2');
    await turn(client, chat, '/fail badly');
    await accepted(client, session, { type: 'session/titleChanged', title: 'Kept' });
    await accepted(client, session, { type: 'session/isReadChanged', isRead: true });
    await accepted(client, session, { type: 'session/isArchivedChanged', isArchived: true });
    const draft = { ...userMessage('not sent'), model: { id: 'script' } };
    await accepted(client, chat, { type: 'chat/draftChanged', draft });
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    const read = async (from: WireClient) => ({
      session: await from.subscribe<SessionState>(session),
      chat: await from.subscribe<ChatState>(chat),
      second: await from.subscribe<ChatState>(second),
      list: await from.request('listSessions', { channel: ROOT_URI }),
    });
    const before = await read(client);
    expect(before.session.status).toBe(2 | 32 | 64);
    const later = await nextLife(end);
    expect(await read(later)).toEqual(before);
  });

  it('times do not run backwards when something is changed', async () => {
    await turn(client, chat, '/say hello');
    await accepted(client, session, { type: 'session/titleChanged', title: 'Later than all' });
    await accepted(client, chat, {
      type: 'chat/pendingMessageSet',
      kind: 'steering',
      id: 's',
      message: userMessage('x'),
    });
    const before = await client.subscribe<SessionState>(session);
    const later = await nextLife(end);
    await later.subscribe(session);
    await later.subscribe(chat);
    await accepted(later, session, { type: 'session/isReadChanged', isRead: true });
    await accepted(later, chat, { type: 'chat/pendingMessageRemoved', kind: 'steering', id: 's' });
    const after = await later.subscribe<SessionState>(session);
    expect(after.title).toBe(before.title);
    expect(after.chats).toEqual(before.chats);
    const { items } = await later.request('listSessions', { channel: ROOT_URI });
    expect(items).toMatchObject([{ resource: session, title: after.title, status: after.status }]);
  });

  it('a turn that ran has failed, with its calls settled, and can be tried again (B-83)', async () => {
    const turnId = startTurn(client, chat, '/say so far\n/read nothing.txt\n/wait 60000');
    await client.action(chat, 'chat/toolCallComplete');
    await accepted(client, chat, queue('q'));
    const later = await nextLife(end);
    const state = await chatState(later, chat);
    const error = { errorType: 'hostRestarted', message: expect.stringContaining('again') };
    expect(state).toMatchObject({ status: 2, turns: [{ id: turnId, state: 'error' }] });
    expect(state.turns[0]?.responseParts.at(-1)).toEqual({ kind: 'error', error });
    expect(state.activeTurn).toBeUndefined();
    expect(textOf(state.turns[0])).toBe('so far');
    expect(state.queuedMessages?.map((queued) => queued.id)).toEqual(['q']); // it rests (OQ-54)
    await later.subscribe(session);
    expect(await later.subscribe<SessionState>(session)).toMatchObject({ status: 2 });
    await turn(later, chat, '/say again');
    await later.action(chat, 'chat/turnComplete', 2);
    expect((await chatState(later, chat)).turns.map((ended) => ended.state)).toEqual(['error', 'complete', 'complete']);
  });

  it('a question waits on with its drafts, and its answer goes to the agent', async () => {
    const turnId = startTurn(client, chat, '/say before\n/ask Name?\n/say after');
    const { request } = await client.action(chat, 'chat/inputRequested');
    const answer = { state: 'submitted', value: { kind: 'text', value: 'Ada' } };
    const change = { type: 'chat/inputAnswerChanged', requestId: request.id, questionId: 'answer', answer };
    await accepted(client, chat, change);
    const later = await nextLife(end);
    const state = await chatState(later, chat);
    expect(state).toMatchObject({ status: 24, activeTurn: { id: turnId } });
    expect(openRequests(state)).toMatchObject([{ id: request.id, answers: { answer } }]);
    await accepted(later, chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept' });
    expect((await turnEnd(later, chat, turnId)).type).toBe('chat/turnComplete');
    const { turns } = await chatState(later, chat);
    expect(textOf(turns[0])).toMatch(/before[\s\S]*Ada[\s\S]*after/);
    expect(turns).toHaveLength(1);
  });

  it('an approval that waits can still be given, once', async () => {
    const turnId = startTurn(client, chat, '/write a.txt kept\n/say written');
    const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
    const later = await nextLife(end);
    const [call] = await shownIn(later, chat, ({ activeTurn }) => activeTurn && callsOf(activeTurn.responseParts));
    expect(call).toMatchObject({ toolCallId, status: 'pending-confirmation' });
    const approve = approval(turnId, toolCallId);
    await accepted(later, chat, approve);
    expect((await turnEnd(later, chat, turnId)).type).toBe('chat/turnComplete');
    expect(readFileSync(join(host.workspace, 'a.txt'), 'utf8')).toBe('kept');
    expect(callsOf((await chatState(later, chat)).turns[0]?.responseParts)).toHaveLength(1);
  });

  it('what a turn says then stands after what it said before, in parts of its own (B-168, OQ-64)', async () => {
    const rounds = ['one of', 'two of', 'three of', 'four of', 'five of'];
    const steps = rounds.map((words, n) => `/think ${words} thoughts\n/say ${words} words\n/write ${n}.txt x`);
    const turnId = startTurn(client, chat, steps.join('\n'));
    const asked = (by: WireClient) =>
      shownIn(by, chat, ({ activeTurn }) =>
        callsOf(activeTurn?.responseParts).find(({ status }) => status === 'pending-confirmation'),
      );
    const approveNext = async (by: WireClient) => accepted(by, chat, approval(turnId, (await asked(by)).toolCallId));
    for (let count = 0; count < 3; count++) await approveNext(client);
    await asked(client);
    const later = await nextLife(end);
    for (let count = 3; count < rounds.length; count++) await approveNext(later);
    expect((await turnEnd(later, chat, turnId)).type).toBe('chat/turnComplete');
    const parts = (await chatState(later, chat)).turns[0]?.responseParts ?? [];
    const texts = parts.flatMap((part) => ('id' in part ? [part] : []));
    const expected = rounds.flatMap((words) => [`${words} thoughts`, `${words} words`]);
    expect(texts.map(({ content }) => content)).toEqual(expected);
    expect(new Set(texts.map(({ id }) => id)).size).toBe(expected.length);
  });

  it('queued and steering messages are still there', async () => {
    const turnId = startTurn(client, chat, '/wait 60000');
    for (const id of ['a', 'b']) await accepted(client, chat, queue(id));
    await accepted(client, chat, { type: 'chat/queuedMessagesReordered', order: ['b', 'a'] });
    await accepted(client, chat, { ...queue('s'), kind: 'steering' });
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    const later = await nextLife(end);
    const state = await chatState(later, chat);
    expect(state.queuedMessages?.map((queued) => queued.id)).toEqual(['b', 'a']);
    expect(state.steeringMessage?.id).toBe('s');
  });

  it('a queue that rests since turns were cut rests on, and goes on as it would have (OQ-54)', async () => {
    const kept = await turn(client, chat, '/say kept');
    const turnId = startTurn(client, chat, '/wait 60000');
    await accepted(client, chat, queue('a'));
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await accepted(client, chat, { type: 'chat/truncated', turnId: kept });
    await client.sync();
    expect((await chatState(client, chat)).activeTurn).toBeUndefined();
    const later = await nextLife(end);
    const state = await chatState(later, chat);
    expect(state.activeTurn).toBeUndefined();
    expect(state.turns.map(({ id }) => id)).toEqual([kept]);
    expect(state.queuedMessages?.map((queued) => queued.id)).toEqual(['a']);
    await turn(later, chat, '/say on');
    await later.action(chat, 'chat/turnComplete', 2);
    expect((await chatState(later, chat)).turns.map(({ message }) => message.text)).toEqual([
      '/say kept',
      '/say on',
      '/say a',
    ]);
  });

  it('an agent that cannot resume has failed where it waited', async () => {
    await host.dispose();
    const agent = testAgent({
      prompt: async (run) => {
        await run.ask({ id: 'r', message: '?' });
        await stopped(run);
        return undefined;
      },
    });
    host = await TestHost.start({ agents: [agent], clock: new ManualClock() });
    client = await host.client();
    ({ session, chat } = await host.session(client, { provider: 'test' }));
    startTurn(client, chat, 'go');
    await client.action(chat, 'chat/inputRequested');
    const later = await nextLife(end, { agents: [agent] });
    const state = await chatState(later, chat);
    expect(state.turns).toMatchObject([{ ...endedIn({ errorType: 'hostRestarted' }) }]);
    expect(openRequests(state)).toEqual([]);
  });

  it('a session whose agent is gone says so in the turn', async () => {
    const later = await nextLife('killed', { agents: [testAgent()] });
    const end = await chatState(later, chat).then(() => turnEnd(later, chat, startTurn(later, chat, 'anybody?')));
    expect(end).toMatchObject({ type: 'chat/error', part: { error: { errorType: 'providerNotFound' } } });
  });
});
