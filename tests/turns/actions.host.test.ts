import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  callsOf,
  chatState,
  PATIENT,
  reasonFor,
  startTurn,
  textOf,
  turn,
  turnEnd,
} from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { GatedAgent, stopped } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let agent: GatedAgent;
let clock: ManualClock;
let host: TestHost;
let client: WireClient;
let bob: WireClient;
let chat: string;
beforeEach(async () => {
  agent = new GatedAgent();
  clock = new ManualClock();
  host = await TestHost.start({ clock, agents: [agent] });
  client = await host.client();
  bob = await host.client();
  ({ chat } = await host.session(client, { provider: 'test' }));
  await bob.subscribe(chat);
});
afterEach(() => host.dispose());

const start = (turnId: string, message: object = userMessage('go')) => ({
  type: 'chat/turnStarted',
  startedAt: '2026-01-01T00:00:00.000Z',
  turnId,
  message,
});
const cancel = (turnId: string) => ({ type: 'chat/turnCancelled', duration: 0, turnId });
const truncate = (turnId?: string) => ({ type: 'chat/truncated', ...(turnId !== undefined && { turnId }) });

async function finishedTurns(count: number): Promise<string[]> {
  const { next } = agent;
  agent.next = async () => undefined;
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await turn(client, chat, `message ${index}`));
  agent.next = next;
  return ids;
}

const turnIds = async () => (await chatState(client, chat)).turns.map((finished) => finished.id);

describe('chat/turnStarted', () => {
  it('is rejected while a turn is active, and for an id that was used (B-152, OQ-52)', async () => {
    const [used = ''] = await finishedTurns(1);
    expect(await reasonFor(client, chat, start(used))).toContain(used);
    await accepted(client, chat, start('t1'));
    expect(await reasonFor(bob, chat, start('t2'))).toContain('already active');
    expect(await reasonFor(client, chat, start('t1'))).toContain('already active');
    expect((await chatState(client, chat)).activeTurn).toMatchObject({ id: 't1', message: userMessage('go') });
  });

  it('needs an id and a message of the user (B-150)', async () => {
    expect(await reasonFor(client, chat, start(''))).toContain('id');
    for (const kind of ['agent', 'tool', 'systemNotification']) {
      expect(await reasonFor(client, chat, start('t', { text: 'x', origin: { kind } }))).toContain('user');
    }
    expect(await chatState(client, chat)).toMatchObject({ status: 1, turns: [] });
  });

  it('gives the agent the message with all that came with it (B-161, B-163)', async () => {
    const attachments = [{ type: 'simple', label: 'note', modelRepresentation: 'read this', _meta: { from: null } }];
    const message = { ...userMessage('look'), attachments, _meta: { kept: [1, null] } };
    await accepted(client, chat, start('t1', message));
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    expect(agent.turns[0]).toMatchObject({ turnId: 't1', message, resumed: false });
    expect((await chatState(bob, chat)).activeTurn?.message).toEqual(message);
  });
});

describe('chat/turnCancelled', () => {
  it('is rejected without an active turn, and for another one (B-64, OQ-53)', async () => {
    const [old = ''] = await finishedTurns(1);
    expect(await reasonFor(client, chat, cancel('t1'))).toContain('no turn is active');
    await accepted(client, chat, start('t1'));
    expect(await reasonFor(client, chat, cancel(old))).toContain('not the active one');
    await accepted(bob, chat, cancel('t1')); // anybody may (B-152)
    expect(await reasonFor(client, chat, cancel('t1'))).toContain('no turn is active');
  });

  it('stops the agent and settles what was open; the next turn works (B-154, B-155, B-156)', async () => {
    agent.next = async (run) => {
      run.emit({ kind: 'text', text: 'half a sent' });
      run.emit({ kind: 'toolCallStart', toolCallId: 'streaming', toolName: 'a', displayName: 'A' });
      run.emit({ kind: 'toolCallInput', toolCallId: 'streaming', text: '{"pa' });
      run.emit({ kind: 'toolCallStart', toolCallId: 'running', toolName: 'b', displayName: 'B' });
      run.emit({ kind: 'toolCallRunning', toolCallId: 'running', invocationMessage: 'b', toolInput: '{}' });
      run.emit({ kind: 'toolCallStart', toolCallId: 'pending', toolName: 'c', displayName: 'C' });
      const waiting = [
        run.confirm({ toolCallId: 'pending', invocationMessage: 'c' }),
        run.ask({ id: 'r', message: '?' }),
      ];
      expect(await Promise.all(waiting)).toEqual([{ approved: false, reason: 'cancelled' }, { response: 'cancel' }]);
      run.emit({ kind: 'text', text: 'too late' });
      return undefined;
    };
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/inputRequested');
    await accepted(bob, chat, cancel(turnId));
    await expect.poll(() => agent.turns[0]?.signal.aborted, PATIENT).toBe(true);
    const state = await chatState(client, chat);
    expect(state).toMatchObject({ status: 1, turns: [{ id: turnId, state: 'cancelled' }] });
    expect(state.activeTurn).toBeUndefined();
    const calls = callsOf(state.turns[0]?.responseParts).map(({ toolCallId, status, ...rest }) => [
      toolCallId,
      status,
      rest,
    ]);
    const skipped = expect.objectContaining({ reason: 'skipped' });
    expect(calls).toEqual(['streaming', 'running', 'pending'].map((id) => [id, 'cancelled', skipped]));
    await finishedTurns(1);
    const after = await chatState(client, chat);
    expect(after.turns.map((ended) => ended.state)).toEqual(['cancelled', 'complete']);
    expect(textOf(after.turns[0])).toBe('half a sent');
  });

  it('of an agent that does not stop closes its chat after a while; the next turn opens it again', async () => {
    agent.next = () => new Promise(() => {});
    const turnId = startTurn(client, chat, 'go');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    await accepted(client, chat, cancel(turnId));
    await expect.poll(() => agent.turns[0]?.signal.aborted, PATIENT).toBe(true);
    agent.next = async () => undefined;
    const next = startTurn(client, chat, 'again');
    await client.sync();
    expect(agent.turns).toHaveLength(1);
    clock.advance(10_000);
    await turnEnd(client, chat, next);
    expect(agent.disposed).toEqual([chat]);
    expect(agent.opened).toHaveLength(2);
  });

  it('while the chat is still being opened ends the turn before the agent hears of it', async () => {
    let open = () => {};
    agent.opening = () => new Promise((resolve) => (open = resolve));
    const turnId = startTurn(client, chat, 'never');
    await expect.poll(() => agent.opened, PATIENT).toHaveLength(1);
    await accepted(client, chat, cancel(turnId));
    const next = startTurn(client, chat, 'this one');
    agent.openAll();
    await client.sync();
    open();
    expect((await turnEnd(client, chat, next)).type).toBe('chat/turnComplete');
    expect(agent.turns.map((run) => run.turnId)).toEqual([next]);
  });
});

describe('an agent whose chat never opens', () => {
  it('does not keep the next turn from trying again', async () => {
    agent.opening = () => new Promise(() => {});
    const turnId = startTurn(client, chat, 'never');
    await expect.poll(() => agent.opened, PATIENT).toHaveLength(1);
    await accepted(client, chat, cancel(turnId));
    const next = startTurn(client, chat, 'this one');
    agent.openAll();
    await client.sync();
    clock.advance(10_000);
    expect((await turnEnd(client, chat, next)).type).toBe('chat/turnComplete');
  });
});

describe('chat/truncated', () => {
  it('keeps the turns up to the one that is named; the agent forgets the rest (B-219)', async () => {
    const [first = '', second = '', third = ''] = await finishedTurns(3);
    await accepted(bob, chat, truncate(second));
    expect(await turnIds()).toEqual([first, second]);
    await expect.poll(() => agent.rewinds, PATIENT).toEqual([[first, second]]);
    expect(await reasonFor(client, chat, truncate(third))).toContain(third);
    await accepted(client, chat, truncate());
    expect(await turnIds()).toEqual([]);
    expect(await reasonFor(client, chat, truncate('unknown'))).toContain('unknown'); // it would cut nothing (B-222, OQ-57)
  });

  it('is told to an agent that was not there, once, before its next turn (B-219, OQ-57)', async () => {
    const [first = '', second = ''] = await finishedTurns(3);
    agent.opened[0]?.host.died({ errorType: 'agentExited', message: 'gone' });
    await accepted(client, chat, truncate(second));
    await accepted(client, chat, truncate(first));
    let rewoundBefore: string[][] = [];
    agent.next = async () => {
      rewoundBefore = [...agent.rewinds];
      return undefined;
    };
    await turn(client, chat, 'again');
    expect(rewoundBefore).toEqual([[first]]);
    agent.opened[1]?.host.died({ errorType: 'agentExited', message: 'gone' });
    await turn(client, chat, 'once more');
    expect(agent.opened).toHaveLength(3);
    expect(agent.rewinds).toEqual([[first]]);
  });

  it('is told to the agent of the next life when this one dies before it was (B-219, OQ-57)', async () => {
    const [first = ''] = await finishedTurns(2);
    agent.opened[0]?.host.died({ errorType: 'agentExited', message: 'gone' });
    await accepted(client, chat, truncate(first));
    const next = new GatedAgent();
    next.openAll();
    const crashed = await host.afterCrash({ agents: [next] });
    const later = await crashed.client();
    await later.subscribe(chat);
    await turn(later, chat, 'again');
    expect(next.rewinds).toEqual([[first]]);
    await crashed.dispose();
  });

  it('is told again where the agent could not forget', async () => {
    const [first = ''] = await finishedTurns(2);
    agent.opened[0]?.host.died({ errorType: 'agentExited', message: 'gone' });
    await accepted(client, chat, truncate(first));
    agent.rewinding = () => Promise.reject(new Error('not now'));
    const failed = startTurn(client, chat, 'again');
    expect((await turnEnd(client, chat, failed)).type).toBe('chat/error');
    expect(agent.disposed).toEqual([chat]);
    agent.openAll();
    await turn(client, chat, 'once more');
    expect(agent.rewinds).toEqual([[first], [first, failed]]);
  });

  it('drops an active turn without a trace, and stops its agent (B-220, OQ-57)', async () => {
    const [first = ''] = await finishedTurns(1);
    const active = startTurn(client, chat, 'go');
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(2);
    expect(await reasonFor(client, chat, truncate(active))).toContain(active);
    await accepted(client, chat, truncate(first));
    expect(await chatState(client, chat)).toMatchObject({ status: 1, turns: [{ id: first }] });
    await expect.poll(() => agent.turns[1]?.signal.aborted, PATIENT).toBe(true);
    expect((await chatState(client, chat)).activeTurn).toBeUndefined();
  });

  it('is followed by the edited message, even under the old id (B-221)', async () => {
    agent.next = async (run) => {
      await stopped(run);
      await agent.gate();
      run.emit({ kind: 'text', text: 'the old turn speaks' });
      return { kind: 'cancelled' };
    };
    await accepted(client, chat, start('same'));
    await expect.poll(() => agent.turns, PATIENT).toHaveLength(1);
    await accepted(client, chat, truncate());
    agent.next = async (run) => {
      run.emit({ kind: 'text', text: 'the new turn speaks' });
      return undefined;
    };
    await accepted(client, chat, start('same', userMessage('edited')));
    agent.openAll();
    expect((await turnEnd(client, chat, 'same')).type).toBe('chat/turnComplete');
    const { turns } = await chatState(client, chat);
    expect(turns.map((ended) => [ended.message.text, textOf(ended)])).toEqual([['edited', 'the new turn speaks']]);
  });
});
