import { demoAgent } from '@moorage/agents/demo';
import { ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT, startTurn } from '../support/actions.js';
import { stopped, testAgent } from '../support/test-agent.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const agent = testAgent({
  prompt: async (turn) => {
    await stopped(turn);
    return { kind: 'cancelled' };
  },
});
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  host = await TestHost.start({ agents: [agent, demoAgent({ isolation: 'none' })] });
  client = await host.client({ subscriptions: [ROOT_URI] });
});
afterEach(() => host.dispose());

/** A session with two chats; a turn runs in the second. */
async function busySession() {
  const { session, chat } = await host.session(client, { provider: 'test' });
  const second = host.newChatUri();
  await client.request('createChat', { channel: session, chat: second });
  await client.subscribe(second);
  const turnId = startTurn(client, second, 'work');
  await client.action(second, 'chat/turnStarted');
  await client.sync();
  return { session, chat, second, turnId };
}

describe('disposeSession', () => {
  it('cancels turns, removes chats, then the session, in that order (B-110, B-111, OQ-41)', async () => {
    const { session, chat, second, turnId } = await busySession();
    const before = client.received.length;
    const heard = client.envelopes.length;
    expect(await client.request('disposeSession', { channel: session })).toBeNull();
    await client.notification('root/sessionRemoved', (params) => params.session === session);
    const types = client.received.slice(before).filter((type) => !/chatUpdated|SummaryChanged|activity/.test(type));
    expect(types).toEqual([
      'chat/turnCancelled',
      'session/chatRemoved',
      'session/chatRemoved',
      'root/sessionRemoved',
      'root/activeSessionsChanged',
    ]);
    const envelopes = client.envelopes.slice(heard);
    expect(envelopes.find((e) => e.action.type === 'chat/turnCancelled')).toMatchObject({
      channel: second,
      action: { turnId },
    });
    const removed = envelopes.flatMap((e) => (e.action.type === 'session/chatRemoved' ? e.action.chat : []));
    expect(removed).toEqual([chat, second]);
    expect(envelopes.at(-1)).toMatchObject({ channel: ROOT_URI, action: { activeSessions: 0 } });
  });

  it('stops the agent and lets go of it', async () => {
    const { session, second } = await busySession();
    const turn = agent.turns.at(-1);
    await client.request('disposeSession', { channel: session });
    await expect.poll(() => agent.disposed, PATIENT).toContain(second);
    expect(turn?.signal.aborted).toBe(true);
  });

  it('leaves a URI that is gone but stays taken, also after a restart (D-7, OQ-18)', async () => {
    const { session, chat, second } = await busySession();
    await client.request('disposeSession', { channel: session });
    for (const round of ['before', 'after']) {
      const refused = async (method: string, params: object) => [
        round,
        method,
        (await client.refused(method, params)).code,
      ];
      expect(await refused('subscribe', { channel: session })).toEqual([round, 'subscribe', -32001]);
      expect(await refused('subscribe', { channel: chat })).toEqual([round, 'subscribe', -32008]);
      expect(await refused('subscribe', { channel: `${session}/annotations` })).toEqual([round, 'subscribe', -32008]);
      expect(await refused('disposeChat', { channel: second })).toEqual([round, 'disposeChat', -32008]);
      expect(await refused('fetchTurns', { channel: chat })).toEqual([round, 'fetchTurns', -32008]);
      expect(await refused('createSession', { channel: session })).toEqual([round, 'createSession', -32003]);
      expect((await client.request('listSessions', { channel: ROOT_URI })).items).toEqual([]);
      const heard = client.received.length;
      client.dispatch(session, { type: 'session/titleChanged', title: 'Anybody there?' });
      client.dispatch(chat, { type: 'chat/turnCancelled', duration: 0, turnId: 'x' });
      await client.sync();
      expect(client.received).toHaveLength(heard); // neither an echo nor a rejection (B-61)
      await host.restart();
      client = await host.client({ subscriptions: [ROOT_URI] });
    }
  });

  it('succeeds for a session that is gone or never was, and changes nothing (V-42)', async () => {
    const { session } = await busySession();
    await client.request('disposeSession', { channel: session });
    await client.notification('root/sessionRemoved');
    const heard = client.received.length;
    for (const channel of [session, host.newSessionUri(), 'demo:/never-created']) {
      expect(await client.request('disposeSession', { channel })).toBeNull();
    }
    await client.sync();
    expect(client.received).toHaveLength(heard);
    const chat = host.newChatUri();
    expect(await client.refused('disposeSession', { channel: chat })).toMatchObject({ code: -32602 });
  });

  it('together with what was dispatched just before it harms nobody', async () => {
    const { session, chat } = await host.session(client, { provider: 'test' });
    const other = await host.session(client);
    startTurn(client, chat, 'too late');
    const disposing = client.request('disposeSession', { channel: session });
    const renaming = client.act(other.session, { type: 'session/titleChanged', title: 'Alive' });
    await disposing;
    expect((await renaming).rejectionReason).toBeUndefined();
  });
});
