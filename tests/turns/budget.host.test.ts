import type { ChatState, SessionState } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { chatState, choice, startTurn, turn, turnEnd } from '../support/actions.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost | undefined;
afterEach(async () => {
  await host?.dispose();
  host = undefined;
});

async function start(budget: number | undefined) {
  host = await TestHost.start();
  const client = await host.client();
  const config = budget === undefined ? {} : { config: { budget } };
  return { host, client, ...(await host.session(client, config)) };
}

async function lastError(client: WireClient, chat: string): Promise<string> {
  const { turns } = await chatState(client, chat);
  const part = turns.at(-1)?.responseParts.at(-1);
  return part?.kind === 'error' ? `${part.error.errorType}: ${part.error.message}` : '';
}

describe('a session with a budget', () => {
  it('is a setting that every client sees and may change', async () => {
    const { client, session } = await start(100);
    const state = await client.subscribe<SessionState>(session);
    expect(state.config).toMatchObject({
      schema: { properties: { budget: { type: 'number', title: 'Budget', sessionMutable: true } } },
      values: { budget: 100 },
    });
    const refusal = await client.act(session, { type: 'session/configChanged', config: { budget: 'much' } });
    expect(refusal.rejectionReason).toContain('expected number');
  });

  it('stops the turn that uses it up, with the reason', async () => {
    const { client, chat } = await start(100);
    await turn(client, chat, '/usage 40 20\n/say below');
    expect((await chatState(client, chat)).turns.at(-1)?.state).toBe('complete');
    await turn(client, chat, '/usage 30 10\n/wait 60000\n/say never');
    expect(await lastError(client, chat)).toMatch(/^budgetReached: .*used up: 100 of 100 tokens\. Raise it/);
    expect(JSON.stringify(await chatState(client, chat))).not.toContain('"content":"never"');
  });

  it('lets what is queued rest, refuses new turns, and goes on when it is raised', async () => {
    const { client, session, chat } = await start(50);
    const running = startTurn(client, chat, '/ask Go on? | yes | no\n/usage 60 0\n/say done');
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'next', message: userMessage('/say queued') };
    await client.act(chat, queued);
    const { request } = await client.action(session, 'session/inputNeededSet');
    if (request.kind !== 'chatInput') throw new Error('no question');
    client.dispatch(chat, { type: 'chat/inputCompleted', requestId: request.request.id, response: 'decline' });
    await turnEnd(client, chat, running);
    expect((await chatState(client, chat)).queuedMessages).toHaveLength(1);

    await turn(client, chat, '/say refused');
    expect(await lastError(client, chat)).toContain('budgetReached');
    expect((await chatState(client, chat)).queuedMessages).toHaveLength(1);

    await client.act(session, { type: 'session/configChanged', config: { budget: 1_000 } });
    await turn(client, chat, '/say goes on');
    await client.action(chat, 'chat/turnComplete', 2); // also the queued one
    const { turns, queuedMessages = [] } = await client.subscribe<ChatState>(chat);
    expect(turns.map(({ state }) => state)).toEqual(['error', 'error', 'complete', 'complete']);
    expect(queuedMessages).toEqual([]);
  });

  it('lets what is queued rest, too, when it was lowered while a turn ran', async () => {
    const { client, session, chat } = await start(1_000);
    const running = startTurn(client, chat, '/usage 60 0\n/ask Go on? | yes | no');
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'next', message: userMessage('/say queued') };
    await client.act(chat, queued);
    const { request } = await client.action(session, 'session/inputNeededSet');
    await client.act(session, { type: 'session/configChanged', config: { budget: 50 } });
    if (request.kind === 'chatInput') client.dispatch(chat, choice(request.request, 'yes'));
    expect(await turnEnd(client, chat, running)).toMatchObject({ type: 'chat/turnComplete' });
    await client.sync();
    expect(await chatState(client, chat)).toMatchObject({ queuedMessages: [{ id: 'next' }] });
  });

  it('counts all of its chats, and stops them all', async () => {
    const { host, client, session, chat } = await start(100);
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    await client.subscribe(second);
    const waiting = startTurn(client, chat, '/usage 50 0\n/wait 60000');
    await client.action(chat, 'chat/usage');
    await turn(client, second, '/usage 50 0\n/wait 60000');
    await turnEnd(client, chat, waiting);
    expect([await lastError(client, chat), await lastError(client, second)]).toEqual([
      expect.stringContaining('budgetReached'),
      expect.stringContaining('budgetReached'),
    ]);
  });

  it('is still paused after a restart', async () => {
    const { host, client, chat } = await start(10);
    await turn(client, chat, '/usage 20 0\n/wait 60000');
    await client.close();
    await host.restart();
    const again = await host.client();
    await again.subscribe(chat);
    await turn(again, chat, '/say refused');
    expect(await lastError(again, chat)).toContain('budgetReached');
  });

  it.each([undefined, 0])('has no limit if it is %s', async (budget) => {
    const { client, chat } = await start(budget);
    await turn(client, chat, '/usage 1000000 1000000\n/say done');
    expect((await chatState(client, chat)).turns.at(-1)?.state).toBe('complete');
  });
});
