import { AgentError, type AgentEvent, type TurnOutcome } from '@moorage/host';
import { type ChatState, reduce, type SessionState, type ToolCallResult } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  approval,
  callsOf,
  chatState,
  PATIENT,
  shownIn,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const SECRET = 'at /home/somebody/.token';
const DONE: ToolCallResult = { success: true, pastTenseMessage: 'Done' };

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  agent = new GatedAgent();
  host = await TestHost.start({ clock: new ManualClock(), agents: [agent] });
  client = await host.client();
  ({ session, chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose());

const emitting = (...events: AgentEvent[]) => {
  agent.next = async (run) => {
    for (const event of events) run.emit(event);
    return undefined;
  };
};
const start = (toolCallId: string): AgentEvent => ({
  kind: 'toolCallStart',
  toolCallId,
  toolName: 'dig',
  displayName: 'Dig',
});
const running = (toolCallId: string): AgentEvent => ({
  kind: 'toolCallRunning',
  toolCallId,
  invocationMessage: 'Digging',
});
const done = (toolCallId: string): AgentEvent => ({ kind: 'toolCallDone', toolCallId, result: DONE });
const input = (toolCallId: string, text: string): AgentEvent => ({ kind: 'toolCallInput', toolCallId, text });

it('an agent is told of its first session before there is a turn, and then once per session', async () => {
  const prepared: number[] = [];
  const watched = Object.assign(new GatedAgent(), { prepare: () => prepared.push(watched.opened.length) });
  const other = await TestHost.start({ clock: new ManualClock(), agents: [watched] });
  const visitor = await other.client();
  await other.session(visitor, { provider: 'test' });
  expect(prepared).toEqual([0]);
  await other.session(visitor, { provider: 'test' });
  expect(prepared).toEqual([0, 0]);
  await other.dispose();
});

describe('an agent that fails', () => {
  const failure = async () =>
    (await turnEnd(client, chat, startTurn(client, chat, 'go'))) as { part?: { error: { errorType: string } } };

  it('to start says why if it can, and is tried again with the next turn', async () => {
    agent.opening = async () => {
      throw new AgentError('notInstalled', 'Install it first.');
    };
    expect(await failure()).toMatchObject({
      type: 'chat/error',
      part: { error: { errorType: 'notInstalled', message: 'Install it first.' } },
    });
    agent.opening = async () => {
      throw new Error(SECRET);
    };
    const unknown = await failure();
    expect(unknown.part?.error.errorType).toBe('agentFailed');
    expect(JSON.stringify(unknown)).not.toContain('token');
    agent.openAll();
    await turn(client, chat, 'now');
    expect(agent.opened).toHaveLength(3);
  });

  it('in a turn is closed, and opened again for the next', async () => {
    agent.next = async () => {
      throw new Error(SECRET);
    };
    const failed = await failure();
    expect(failed.part?.error.errorType).toBe('agentFailed');
    expect(JSON.stringify(failed)).not.toContain('token');
    expect(agent.disposed).toEqual([chat]);
    emitting({ kind: 'text', text: 'better' });
    await turn(client, chat, 'again');
    expect(agent.opened.map((opened) => opened.history.length)).toEqual([0, 1]);
  });

  it.each([{ kind: 'error' }, { kind: 'error', error: { errorType: 'odd' } }, { kind: 'finished' }, 'complete'])(
    'to say how its turn ended (%j) fails that turn, and can have the next',
    async (outcome) => {
      agent.next = async () => outcome as unknown as TurnOutcome;
      expect((await failure()).part?.error.errorType).toBe('agentFailed');
      emitting({ kind: 'text', text: 'better' });
      const next = await turnEnd(client, chat, startTurn(client, chat, 'again'));
      expect(next.type).toBe('chat/turnComplete');
    },
  );

  it('to close harms nobody', async () => {
    emitting();
    await turn(client, chat, 'go');
    agent.closing = async () => {
      throw new Error('will not go');
    };
    await client.request('disposeChat', { channel: chat });
    await expect.poll(() => agent.disposed, PATIENT).toEqual([chat]);
    await client.sync();
  });

  it('between turns is opened again when it is needed', async () => {
    emitting();
    await turn(client, chat, 'one');
    agent.opened[0]?.host.died({ errorType: 'agentExited', message: 'gone' });
    await turn(client, chat, 'two');
    expect(agent.opened).toHaveLength(2);
  });
});

describe('what an agent says at any time', () => {
  it('is shown as a turn of its own when none runs, and sets the title', async () => {
    emitting();
    await turn(client, chat, 'start a job');
    agent.opened[0]?.host.say('the job is done');
    const said = await shownIn(client, chat, ({ turns }) => turns[1]);
    expect(said).toMatchObject({ state: 'complete', message: { text: '', origin: { kind: 'systemNotification' } } });
    expect(textOf(said)).toBe('the job is done');
    agent.opened[0]?.host.setTitle('Named by the agent');
    expect(await client.action(session, 'session/titleChanged', 2)).toMatchObject({ title: 'Named by the agent' });
  });

  it('as title counts only in the chat that a session shows first', async () => {
    emitting();
    const other = host.newChatUri();
    await client.request('createChat', { channel: session, chat: other });
    await client.subscribe(other);
    await turn(client, other, 'aside');
    const title = async () => (await client.subscribe<SessionState>(session)).title;
    const before = await title();
    agent.opened[0]?.host.setTitle('A part of it');
    await client.sync();
    expect(await title()).toBe(before);
    await accepted(client, session, { type: 'session/defaultChatChanged', defaultChat: other });
    agent.opened[0]?.host.setTitle('All of it');
    await client.sync();
    expect(await title()).toBe('All of it');
  });

  it('is of no effect once its chat or session is gone', async () => {
    emitting();
    await turn(client, chat, 'one');
    const other = await host.session(client, { provider: 'test' });
    await turn(client, other.chat, 'two');
    await client.request('disposeChat', { channel: chat });
    await client.request('disposeSession', { channel: other.session });
    for (const opened of agent.opened) {
      opened.host.say('anybody?');
      opened.host.setTitle('ghost');
      opened.host.saveResumeState({ ghost: true });
    }
    await client.sync();
    expect((await client.subscribe<SessionState>(session)).chats).toEqual([]);
    expect(await client.refused('subscribe', { channel: chat })).toMatchObject({ code: -32008 });
  });

  it('to be resumed is given back to it after a restart', async () => {
    emitting();
    await turn(client, chat, 'one');
    agent.opened[0]?.host.saveResumeState({ conversation: 'c-17' });
    await client.sync();
    await host.restart();
    client = await host.client();
    await client.subscribe(chat);
    await turn(client, chat, 'two');
    expect(agent.opened[1]).toMatchObject({ resumeState: { conversation: 'c-17' }, history: [{ state: 'complete' }] });
  });
});

describe('what an agent emits', () => {
  /** The actions of a turn; none may be without effect. */
  async function actionsOf(...events: AgentEvent[]): Promise<string[]> {
    const { state: before } = await client.snapshot<ChatState>(chat);
    const seen = client.actionsOn(chat).length;
    emitting(...events);
    await turn(client, chat, 'go');
    const actions = client.actionsOn(chat).slice(seen);
    actions.reduce((state, action) => {
      const next = reduce('chat', state, action as never, { now: () => 0 });
      expect([action, next === state]).toEqual([action, false]);
      return next;
    }, before);
    return actions
      .map((action) => action.type)
      .filter((type) => type !== 'chat/activityChanged')
      .slice(1, -1);
  }

  it('of text goes on in one part until something else comes (B-168)', async () => {
    const text = (value: string): AgentEvent => ({ kind: 'text', text: value });
    const types = await actionsOf(
      text('a'),
      text(''),
      text('b'),
      { kind: 'reasoning', text: 'hm' },
      text('c'),
      start('x'),
      text('d'),
    );
    expect(types).toEqual([
      'chat/responsePart',
      'chat/delta',
      'chat/responsePart',
      'chat/responsePart',
      'chat/toolCallStart',
      'chat/responsePart',
    ]);
    const notice: AgentEvent = { kind: 'notice', text: 'a task ended' };
    expect(await actionsOf(text('a'), notice, text('b'))).toEqual(Array(3).fill('chat/responsePart'));
  });

  it('of calls that it never started, or twice, is left out or completed (OQ-62, OQ-64)', async () => {
    expect(await actionsOf(input('x', '{'), running('x'), done('x'))).toEqual([]);
    expect(
      await actionsOf(start('a'), start('a'), running('a'), input('a', '{'), done('a'), done('a'), running('a')),
    ).toEqual(['chat/toolCallStart', 'chat/toolCallReady', 'chat/toolCallComplete']);
    expect(await actionsOf(start('b'), input('b', '{"deep":'), input('b', '1}'), done('b'))).toEqual([
      'chat/toolCallStart',
      'chat/toolCallDelta',
      'chat/toolCallDelta',
      'chat/toolCallReady',
      'chat/toolCallComplete',
    ]);
    const calls = callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts);
    expect(calls).toMatchObject([{ status: 'completed', toolInput: '{"deep":1}', success: true }]);
  });

  it('may ask for a permission before the call is known, and once more while it runs (B-176)', async () => {
    const decisions: boolean[] = [];
    agent.next = async (run) => {
      const identity = { toolCallId: 'c', toolName: 'dig', displayName: 'Dig' };
      const ask = { toolCallId: 'c', invocationMessage: 'Dig?', toolInput: '{}', identity };
      decisions.push((await run.confirm(ask)).approved);
      decisions.push((await run.confirm({ ...ask, invocationMessage: 'Deeper?' })).approved);
      run.emit(done('c'));
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    const approve = approval(turnId, 'c');
    await client.action(chat, 'chat/toolCallReady');
    await accepted(client, chat, approve);
    expect(await client.action(chat, 'chat/toolCallReady', 2)).toMatchObject({ invocationMessage: 'Deeper?' });
    expect((await chatState(client, chat)).status).toBe(24);
    await accepted(client, chat, approve);
    await turnEnd(client, chat, turnId);
    expect(decisions).toEqual([true, true]);
    expect(callsOf((await chatState(client, chat)).turns[0]?.responseParts)).toMatchObject([{ status: 'completed' }]);
  });

  it('and asks about a call that is over, or never was, is answered at once', async () => {
    const answers: unknown[] = [];
    agent.next = async (run) => {
      const ask = (toolCallId: string) => run.confirm({ toolCallId, invocationMessage: '?' });
      run.emit(start('a'));
      answers.push(await ask('a'), await ask('a'));
      for (const event of [start('b'), running('b'), done('b')]) run.emit(event);
      answers.push(await ask('b'), await ask('never'));
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/toolCallReady');
    const deny = { type: 'chat/toolCallConfirmed', turnId, toolCallId: 'a', approved: false, reason: 'denied' };
    await accepted(client, chat, deny);
    expect((await turnEnd(client, chat, turnId)).type).toBe('chat/turnComplete');
    const [denied, skipped] = ['denied', 'skipped'].map((reason) => ({ approved: false, reason }));
    expect(answers).toEqual([denied, denied, skipped, skipped]);
  });

  it('or asks after its turn ended is of no effect, and answered at once', async () => {
    emitting();
    await turn(client, chat, 'one');
    await accepted(client, chat, {
      type: 'chat/pendingMessageSet',
      kind: 'steering',
      id: 's',
      message: { text: 'for the next turn', origin: { kind: 'user' } },
    });
    const [late] = agent.turns;
    if (!late) throw new Error('there was no turn');
    late.emit({ kind: 'text', text: 'late' });
    expect(late.takeSteering()).toBeUndefined();
    expect(await late.ask({ id: 'late', message: '?' })).toEqual({ response: 'cancel' });
    expect(await late.confirm({ toolCallId: 'late', invocationMessage: '?' })).toMatchObject({ approved: false });
    expect(await late.confirmResult('late', DONE)).toEqual({ approved: false });
    expect(await late.callClientTool({ toolCallId: 'late', name: 'x', input: '{}' })).toMatchObject({ success: false });
    await expect(late.spawn({ toolCallId: 'late', title: 'x', message: 'x' })).rejects.toThrow('ended');
    await client.sync();
    const state = await chatState(client, chat);
    expect(textOf(state.turns[0])).toBe('');
    expect(state).toMatchObject({ status: 1, steeringMessage: { id: 's' } });
  });
});
