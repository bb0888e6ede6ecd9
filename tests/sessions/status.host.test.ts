import { ROOT_URI, type SessionState, type SessionSummary } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, startTurn, turn } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent, stopped } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const IDLE = 1;
const ERROR = 2;
const IN_PROGRESS = 8;
const INPUT_NEEDED = 24;

let agent: GatedAgent;
let clock: ManualClock;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
let second: string;
beforeEach(async () => {
  agent = new GatedAgent();
  agent.next = async (run) => {
    const { text } = run.message;
    if (text === 'fail') return { kind: 'error', error: { errorType: 'test', message: 'as asked' } };
    if (text === 'ask') await run.ask({ id: `ask-${run.turnId}`, message: 'Well?' });
    if (text === 'work') await stopped(run);
    if (text === 'tool') await useTool(run);
    return undefined;
  };
  clock = new ManualClock();
  host = await TestHost.start({ clock, agents: [agent] });
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session, chat } = await host.session(client, { provider: 'test' }));
  second = host.newChatUri();
  await client.request('createChat', { channel: session, chat: second });
  await client.subscribe(second);
});
afterEach(() => host.dispose());

async function useTool(run: Parameters<NonNullable<GatedAgent['next']>>[0]) {
  const toolCallId = `call-${run.turnId}`;
  run.emit({ kind: 'toolCallStart', toolCallId, toolName: 'dig', displayName: 'Dig' });
  const decision = await run.confirm({ toolCallId, invocationMessage: 'Dig a hole' });
  if (!decision.approved) return;
  await agent.gate();
  run.emit({ kind: 'toolCallDone', toolCallId, result: { success: true, pastTenseMessage: 'Dug a hole' } });
}

/** The session as a snapshot shows it; lists must agree (OQ-34). */
async function summary(): Promise<SessionSummary> {
  const { title, status, activity, chats } = await client.subscribe<SessionState>(session);
  const { items } = await client.request('listSessions', { channel: ROOT_URI });
  const listed = chats.map((chat) => ({ resource: chat.resource, title: chat.title, status: chat.status }));
  const shown = { title, status, ...(activity !== undefined && { activity }), chats: listed };
  expect(items).toMatchObject([shown]);
  return items[0] as SessionSummary;
}

async function statusAfter(uri: string, text: string, until: 'chat/turnStarted' | 'chat/inputRequested' | 'end') {
  const turnId = startTurn(client, uri, text);
  await client.envelope(
    ({ channel, action }) =>
      channel === uri &&
      (until === 'end' ? /turnComplete|error/.test(action.type) : action.type === until) &&
      (!('turnId' in action) || action.turnId === turnId),
  );
  await client.sync();
  return { turnId, status: (await summary()).status };
}

describe('the status of a session', () => {
  it('is that of its default chat, unless another waits or has failed (B-126, OQ-36)', async () => {
    expect((await summary()).status).toBe(IDLE);
    const other = await statusAfter(second, 'work', 'chat/turnStarted');
    expect(other.status).toBe(IDLE); // the default chat does nothing
    const own = await statusAfter(chat, 'work', 'chat/turnStarted');
    expect(own.status).toBe(IN_PROGRESS);
    await accepted(client, second, { type: 'chat/turnCancelled', duration: 0, turnId: other.turnId });
    expect((await statusAfter(second, 'fail', 'end')).status).toBe(ERROR);
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId: own.turnId });
    const asking = await statusAfter(chat, 'ask', 'chat/inputRequested');
    expect(asking.status).toBe(INPUT_NEEDED);
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId: asking.turnId });
    expect((await summary()).status).toBe(ERROR); // until the failed chat goes on
    expect((await statusAfter(second, 'fine', 'end')).status).toBe(IDLE);
    const { status } = await client
      .notification('root/sessionSummaryChanged', ({ changes }) => changes.status === IDLE)
      .then((n) => n.changes);
    expect(status).toBe(IDLE);
  });

  it('keeps its flags, and follows the default chat when that changes (B-122, B-126)', async () => {
    await accepted(client, session, { type: 'session/isArchivedChanged', isArchived: true });
    await statusAfter(second, 'work', 'chat/turnStarted');
    expect((await summary()).status).toBe(IDLE | 64);
    await accepted(client, session, { type: 'session/defaultChatChanged', defaultChat: second });
    expect(await summary()).toMatchObject({ status: IN_PROGRESS | 64, activity: 'Working' });
    await client.request('disposeChat', { channel: second });
    expect((await summary()).status).toBe(IDLE | 64);
    expect((await summary()).activity).toBeUndefined();
  });

  it('is that of the newest chat when there is no default (B-126)', async () => {
    clock.advance(1000);
    await statusAfter(second, 'fail', 'end');
    await client.request('disposeChat', { channel: chat });
    expect((await summary()).status).toBe(ERROR);
  });
});

describe('the activity text', () => {
  const activity = async () => (await summary()).activity ?? '';

  it('says why the last turn failed, until the next one starts', async () => {
    startTurn(client, chat, 'fail');
    await client.action(chat, 'chat/error');
    expect(await activity()).toBe('Failed: as asked');
    startTurn(client, chat, 'hello');
    await client.action(chat, 'chat/turnComplete');
    expect(await activity()).toBe('');
  });

  it('says what the chat is doing, and is gone when it does nothing (B-116, B-127)', async () => {
    expect(await activity()).toBe('');
    const turnId = startTurn(client, chat, 'tool');
    const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
    expect(await activity()).toBe('Waiting for approval: Dig');
    const approval = { turnId, toolCallId, approved: true, confirmed: 'user-action' };
    await accepted(client, chat, { type: 'chat/toolCallConfirmed', ...approval });
    expect(await activity()).toBe('Dig a hole');
    agent.openAll();
    await client.action(chat, 'chat/turnComplete');
    expect(await activity()).toBe('');
    const asking = startTurn(client, chat, 'ask');
    await client.action(chat, 'chat/inputRequested');
    expect(await activity()).toBe('Waiting for an answer');
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId: asking });
    const texts = client
      .actionsOn(session)
      .flatMap((action) => (action.type === 'session/activityChanged' ? [action.activity] : []));
    expect(texts).toEqual([
      'Working',
      'Waiting for approval: Dig',
      'Dig a hole',
      'Working',
      undefined,
      'Working',
      'Waiting for an answer',
      undefined,
    ]);
  });

  it('comes from the chat that gives the status (B-127)', async () => {
    await statusAfter(chat, 'work', 'chat/turnStarted');
    expect(await activity()).toBe('Working');
    await statusAfter(second, 'fail', 'end');
    expect(await summary()).toMatchObject({ status: ERROR });
    expect(await activity()).toBe('Failed: as asked');
    await statusAfter(second, 'ask', 'chat/inputRequested');
    expect(await activity()).toBe('Waiting for an answer');
  });
});

describe('the catalogue of chats', () => {
  it('follows each chat with what changed and nothing else (B-128, B-143, OQ-109, V-25)', async () => {
    clock.advance(1000);
    await turn(client, chat, 'fine');
    await client.sync();
    const updates = client
      .actionsOn(session)
      .flatMap((action) => (action.type === 'session/chatUpdated' ? [action] : []));
    expect(updates).toEqual([
      { type: 'session/chatUpdated', chat, changes: { status: IN_PROGRESS, activity: 'Working', modifiedAt: iso() } },
      { type: 'session/chatUpdated', chat, changes: { status: IDLE, activity: '' } },
    ]);
    expect((await summary()).modifiedAt).toBe(iso());
    const { chats } = await client.subscribe<SessionState>(session);
    expect(chats[0]).toMatchObject({ resource: chat, status: IDLE, activity: '', modifiedAt: iso() });
  });

  const iso = () => new Date(clock.now()).toISOString();
});
