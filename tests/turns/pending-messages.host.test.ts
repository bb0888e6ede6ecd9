import { demoAgent } from '@moorage/agents/demo';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, chatState, reasonFor, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { GatedAgent } from '../support/test-agent.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let agent: GatedAgent;
let host: TestHost;
let client: WireClient;
let chat: string;
beforeEach(async () => {
  agent = new GatedAgent();
  host = await TestHost.start({ agents: [demoAgent({ isolation: 'none' }), agent] });
  client = await host.client();
  ({ chat } = await host.session(client, { provider: 'test' }));
});
afterEach(() => host.dispose());

const set = (kind: string, id: string, text = id) => ({
  type: 'chat/pendingMessageSet',
  kind,
  id,
  message: userMessage(text),
});
const remove = (kind: string, id: string) => ({ type: 'chat/pendingMessageRemoved', kind, id });
const reorder = (...order: string[]) => ({ type: 'chat/queuedMessagesReordered', order });
const queue = async () => (await chatState(client, chat)).queuedMessages?.map((queued) => queued.id) ?? [];
const texts = async () => (await chatState(client, chat)).turns.map((ended) => ended.message.text);

/** A turn runs, and messages wait behind it. */
async function queued(...ids: string[]): Promise<string> {
  const turnId = startTurn(client, chat, 'first');
  for (const id of ids) await accepted(client, chat, set('queued', id));
  return turnId;
}

describe('queued messages', () => {
  it('can be set, edited, removed and put in order while a turn runs (B-202, B-203)', async () => {
    await queued('a', 'b', 'c');
    await accepted(client, chat, set('queued', 'b', 'edited'));
    await accepted(client, chat, reorder('c', 'unknown', 'c', 'a'));
    expect((await chatState(client, chat)).queuedMessages).toEqual([
      { id: 'c', message: userMessage('c') },
      { id: 'a', message: userMessage('a') },
      { id: 'b', message: userMessage('edited') },
    ]);
    await accepted(client, chat, remove('queued', 'a'));
    expect(await queue()).toEqual(['c', 'b']);
    expect(await reasonFor(client, chat, remove('queued', 'a'))).toContain('"a"');
    expect(await reasonFor(client, chat, remove('steering', 'b'))).toContain('"b"');
    expect(await queue()).toEqual(['c', 'b']);
  });

  it('become turns one after the other, each removed first (B-205, OQ-56)', async () => {
    const first = await queued('a', 'b');
    const heard = client.envelopes.length;
    agent.openAll();
    await client.action(chat, 'chat/turnComplete', 3);
    const actions = client.envelopes
      .slice(heard)
      .filter((e) => e.channel === chat)
      .map((envelope) => envelope.action)
      .filter(({ type }) => type !== 'chat/activityChanged');
    expect(actions).toMatchObject([
      { type: 'chat/turnComplete', turnId: first },
      { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'a' },
      {
        type: 'chat/turnStarted',
        message: userMessage('a'),
        queuedMessageId: 'a',
      },
      { type: 'chat/turnComplete' },
      { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'b' },
      {
        type: 'chat/turnStarted',
        message: userMessage('b'),
        queuedMessageId: 'b',
      },
      { type: 'chat/turnComplete' },
    ]);
    expect(client.envelopes.slice(heard).filter((envelope) => envelope.origin)).toEqual([]);
    expect(await texts()).toEqual(['first', 'a', 'b']);
    expect(await queue()).toEqual([]);
  });

  it('start at once when the chat is idle (B-206)', async () => {
    agent.openAll();
    await accepted(client, chat, set('queued', 'now'));
    await client.action(chat, 'chat/turnComplete');
    expect(await texts()).toEqual(['now']);
    const types = client.actionsOn(chat).map((action) => action.type);
    expect(types.filter((type) => type !== 'chat/activityChanged')).toEqual([
      'chat/pendingMessageSet',
      'chat/pendingMessageRemoved',
      'chat/turnStarted',
      'chat/turnComplete',
    ]);
  });

  it('rest after a cancel until one is set; then the first starts (OQ-54)', async () => {
    const turnId = await queued('a', 'b');
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await client.sync();
    expect(await queue()).toEqual(['a', 'b']);
    agent.openAll();
    await accepted(client, chat, set('queued', 'c'));
    await client.action(chat, 'chat/turnComplete', 3);
    expect(await texts()).toEqual(['first', 'a', 'b', 'c']);
  });

  it('rest after an error until a turn completes (OQ-54)', async () => {
    agent.next = async () => {
      await agent.gate();
      return { kind: 'error', error: { errorType: 'test', message: 'as asked' } };
    };
    const turnId = await queued('a');
    agent.openAll();
    expect((await turnEnd(client, chat, turnId)).type).toBe('chat/error');
    await client.sync();
    expect(await queue()).toEqual(['a']);
    agent.next = undefined;
    await turn(client, chat, 'retry');
    await client.action(chat, 'chat/turnComplete', 2);
    expect(await texts()).toEqual(['first', 'retry', 'a']);
  });

  it('need an id and a message of the user (B-204)', async () => {
    expect(await reasonFor(client, chat, set('queued', ''))).toContain('id');
    const message = { text: 'x', origin: { kind: 'agent' } };
    for (const kind of ['queued', 'steering']) {
      expect(await reasonFor(client, chat, { ...set(kind, 'x'), message })).toContain('user');
    }
  });

  it('are no more than people line up', async () => {
    await queued(...Array.from({ length: 100 }, (_, index) => `m${index}`));
    expect(await reasonFor(client, chat, set('queued', 'one more'))).toContain('100 queued messages');
    await accepted(client, chat, set('queued', 'm5', 'edited'));
    await accepted(client, chat, set('steering', 'other'));
  });

  it('of an unknown order change nothing (B-203)', async () => {
    await accepted(client, chat, reorder('x'));
    await queued('a', 'b');
    await accepted(client, chat, reorder());
    expect(await queue()).toEqual(['a', 'b']);
  });
});

describe('a steering message', () => {
  it('waits until the agent takes it; a new one replaces it (B-201, B-207)', async () => {
    const taken: (string | undefined)[] = [];
    agent.next = async (run) => {
      taken.push(run.takeSteering()?.text);
      await agent.gate();
      taken.push(run.takeSteering()?.text, run.takeSteering()?.text);
      return undefined;
    };
    await accepted(client, chat, set('steering', 's0', 'set while idle'));
    expect((await chatState(client, chat)).steeringMessage?.id).toBe('s0');
    const turnId = startTurn(client, chat, 'go');
    await client.action(chat, 'chat/pendingMessageRemoved');
    await accepted(client, chat, set('steering', 's1'));
    await accepted(client, chat, set('steering', 's2', 'left then'));
    expect((await chatState(client, chat)).steeringMessage?.id).toBe('s2');
    agent.openAll();
    await turnEnd(client, chat, turnId);
    expect(taken).toEqual(['set while idle', 'left then', undefined]);
    expect((await chatState(client, chat)).steeringMessage).toBeUndefined();
  });

  it('stays in the turn that took it, with what was attached, also after a restart', async () => {
    agent.next = async (run) => {
      run.emit({ kind: 'text', text: 'before' });
      run.takeSteering();
      run.emit({ kind: 'text', text: 'after' });
      return undefined;
    };
    const attachments = [{ type: 'simple', label: 'notes', modelRepresentation: 'what I know' }];
    const steering = set('steering', 's', 'and mind this');
    const message = { ...steering.message, attachments };
    await accepted(client, chat, { ...steering, message });
    await turnEnd(client, chat, startTurn(client, chat, 'go'));
    const parts = async (from: WireClient) => (await chatState(from, chat)).turns.at(-1)?.responseParts;
    const expected = [
      { kind: 'markdown', content: 'before' },
      {
        kind: 'systemNotification',
        content: 'Steering: and mind this',
        _meta: { 'moorage.steering': { id: 's', message } },
      },
      { kind: 'markdown', content: 'after' },
    ];
    expect(await parts(client)).toMatchObject(expected);
    await host.restart();
    expect(await parts(await host.client())).toMatchObject(expected);
  });

  it('can be removed before it is taken, and stays when nobody takes it (OQ-55)', async () => {
    await accepted(client, chat, set('steering', 's'));
    await accepted(client, chat, remove('steering', 's'));
    expect((await chatState(client, chat)).steeringMessage).toBeUndefined();
    await accepted(client, chat, set('steering', 'left'));
    agent.openAll();
    await turn(client, chat, 'go');
    expect((await chatState(client, chat)).steeringMessage?.id).toBe('left');
    expect(await reasonFor(client, chat, remove('steering', 'other'))).toContain('other');
  });

  it('changes what the demo agent does next', async () => {
    const demo = await host.session(client);
    const turnId = startTurn(client, demo.chat, '/ask Ready?\n/say the plan');
    const { request } = await client.action(demo.chat, 'chat/inputRequested');
    await accepted(client, demo.chat, set('steering', 's', '/say a detour'));
    await accepted(client, demo.chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'decline' });
    await turnEnd(client, demo.chat, turnId);
    const { turns, steeringMessage } = await chatState(client, demo.chat);
    expect(textOf(turns[0])).toMatch(/declined[\s\S]*a detour[\s\S]*the plan/);
    expect(steeringMessage).toBeUndefined();
  });
});
