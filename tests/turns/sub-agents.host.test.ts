import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRequests, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  callsOf,
  chatState,
  endedIn,
  reasonFor,
  shownIn,
  startTurn,
  textOf,
  turnEnd,
} from '../support/actions.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session, chat } = await host.session(client));
});
afterEach(() => host.dispose());

/** Starts a turn that spawns; gives the chat of the sub-agent once it is listed. */
async function spawn(message: string) {
  const turnId = startTurn(client, chat, `/spawn ${message}\n/say back again`);
  const { summary } = await client.action(session, 'session/chatAdded');
  const child = summary.resource;
  const state = await client.subscribe<{ activeTurn?: { id: string } }>(child);
  return { turnId, child, childTurn: state.activeTurn?.id ?? '', summary };
}

/** Waits for the end of the turn that spawned, and gives what came of its call and of the turn. */
async function ended(turnId: string) {
  await turnEnd(client, chat, turnId);
  const { turns } = await chatState(client, chat);
  const turn = turns.find((candidate) => candidate.id === turnId);
  return { call: callsOf(turn?.responseParts)[0], text: textOf(turn), state: turn?.state };
}

describe('a sub-agent', () => {
  it('works in a chat of its own that names where it comes from (B-145, B-146, B-178)', async () => {
    const { turnId, child, summary } = await spawn('/ask Shall I?');
    const { toolCallId } = await client.action(chat, 'chat/toolCallStart');
    expect(summary).toMatchObject({ origin: { kind: 'tool', chat, toolCallId }, interactivity: 'read-only' });
    const running = await client.action(chat, 'chat/toolCallContentChanged');
    const subagent = { type: 'subagent', resource: child, title: '/ask Shall I?' };
    expect(running.content).toEqual([subagent]);
    const requestId = await shownIn(client, child, (state) => openRequests(state)[0]?.id);
    await accepted(client, child, { type: 'chat/inputCompleted', requestId, response: 'decline' });
    const { call, text } = await ended(turnId);
    expect(call).toMatchObject({ status: 'completed', success: true, content: [subagent, { type: 'text' }] });
    expect(text).toBe('back again');
    const { turns } = await chatState(client, child);
    expect(turns).toMatchObject([{ state: 'complete', message: { text: '/ask Shall I?', origin: { kind: 'agent' } } }]);
    expect((await client.subscribe<SessionState>(session)).defaultChat).toBe(chat);
  });

  it('can be watched, unblocked and cancelled, but not written to (B-148, OQ-48)', async () => {
    const { turnId, child, childTurn } = await spawn('/write below.txt deep');
    const { toolCallId } = await shownIn(client, child, ({ activeTurn }) =>
      callsOf(activeTurn?.responseParts).find((call) => call.status === 'pending-confirmation'),
    );
    expect((await client.subscribe<SessionState>(session)).status).toBe(24);
    const message = userMessage('let me');
    expect(
      await reasonFor(client, child, {
        type: 'chat/turnStarted',
        startedAt: '2026-01-01T00:00:00.000Z',
        turnId: 'mine',
        message,
      }),
    ).toContain('read-only');
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'q', message };
    expect(await reasonFor(client, child, queued)).toContain('read-only');
    expect(await reasonFor(client, child, { ...queued, kind: 'steering' })).toContain('read-only');
    expect(await reasonFor(client, child, { type: 'chat/truncated' })).toContain('read-only');
    const approve = { type: 'chat/toolCallConfirmed', turnId: childTurn, toolCallId, approved: true };
    await accepted(client, child, { ...approve, confirmed: 'user-action' });
    expect((await ended(turnId)).call).toMatchObject({ success: true });
    expect(readFileSync(join(host.workspace, 'below.txt'), 'utf8')).toBe('deep');
  });

  it('that is cancelled, disposed of or fails makes the call fail; the turn goes on', async () => {
    const cancelled = await spawn('/wait 60000');
    await accepted(client, cancelled.child, { type: 'chat/turnCancelled', duration: 0, turnId: cancelled.childTurn });
    const first = await ended(cancelled.turnId);
    expect(first).toMatchObject({ text: 'back again', call: { success: false, error: { code: 'cancelled' } } });

    const before = client.actionsOn(session).filter((action) => action.type === 'session/chatAdded').length;
    const turnId = startTurn(client, chat, '/spawn /wait 60000\n/say back again');
    const { summary } = await client.action(session, 'session/chatAdded', before + 1);
    await client.request('disposeChat', { channel: summary.resource });
    expect(await ended(turnId)).toMatchObject({ text: 'back again', call: { success: false } });

    const failing = startTurn(client, chat, '/spawn /fail no way\n/say back again');
    expect(await ended(failing)).toMatchObject({ call: { success: false, error: { message: 'no way' } } });
  });

  it('is cancelled with the turn that spawned it (B-155)', async () => {
    const { turnId, child, childTurn } = await spawn('/wait 60000');
    await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    expect((await turnEnd(client, child, childTurn)).type).toBe('chat/turnCancelled');
    expect((await ended(turnId)).call).toMatchObject({ status: 'cancelled', reason: 'skipped' });
  });

  it('is cancelled when the chat that spawned it is disposed of', async () => {
    const { child, childTurn } = await spawn('/wait 60000');
    await client.request('disposeChat', { channel: chat });
    expect((await turnEnd(client, child, childTurn)).type).toBe('chat/turnCancelled');
    const { chats, defaultChat } = await client.subscribe<SessionState>(session);
    expect(chats.map((listed) => listed.resource)).toEqual([child]);
    expect(defaultChat).toBe(child);
  });

  it('that waited for the user when the host died has failed, as has the turn that spawned it', async () => {
    const { child } = await spawn('/write below.txt deep');
    await shownIn(client, child, ({ activeTurn }) =>
      callsOf(activeTurn?.responseParts).find((call) => call.status === 'pending-confirmation'),
    );
    const later = await host.afterCrash();
    const again = await later.client();
    for (const uri of [chat, child]) {
      const failed = { ...endedIn({ errorType: 'hostRestarted' }) };
      expect((await chatState(again, uri)).turns).toMatchObject([failed]);
    }
    await later.dispose();
  });

  it('cannot go deeper than four levels', async () => {
    const turnId = startTurn(client, chat, `${'/spawn '.repeat(6)}/say deep`);
    expect((await turnEnd(client, chat, turnId)).type).toBe('chat/turnComplete');
    const { chats } = await client.subscribe<SessionState>(session);
    expect(chats).toHaveLength(5);
    const deepest = await chatState(client, chats.at(-1)?.resource ?? '');
    const problem = { success: false, error: { message: expect.stringContaining('4 deep') } };
    expect(callsOf(deepest.turns[0]?.responseParts)).toMatchObject([problem]);
  });
});
