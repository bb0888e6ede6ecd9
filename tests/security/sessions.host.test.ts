import { AhpErrorCodes, type ChatState, JsonRpcErrorCodes } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatState, reasonFor, startTurn, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let alice: WireClient;
let mallory: WireClient;
let waiting: { session: string; chat: string };
let other: { session: string; chat: string };

beforeEach(async () => {
  host = await TestHost.start();
  alice = await host.client();
  mallory = await host.client();
  waiting = await host.session(alice);
  other = await host.session(mallory);
});
afterEach(() => host.dispose());

/** A permission prompt that waits in Alice's chat. */
async function prompt() {
  const turnId = startTurn(alice, waiting.chat, '/write a.txt hello\n/ask Sure? | yes | no');
  const { toolCallId } = await alice.action(waiting.chat, 'chat/toolCallReady');
  return { turnId, toolCallId };
}

const approval = { type: 'chat/toolCallConfirmed', approved: true, confirmed: 'user-action' } as const;

describe('a permission prompt', () => {
  it('is answered only where it is asked: not in another chat, on the session, or under another turn', async () => {
    const { turnId, toolCallId } = await prompt();
    const before = await chatState(alice, waiting.chat);
    await reasonFor(mallory, other.chat, { ...approval, turnId, toolCallId });
    await reasonFor(mallory, waiting.chat, { ...approval, turnId: 'another', toolCallId });
    await reasonFor(mallory, waiting.chat, { ...approval, turnId, toolCallId: 'another' });
    mallory.dispatch(`${waiting.chat}x`, { ...approval, turnId, toolCallId });
    mallory.dispatch(waiting.session, { ...approval, turnId: '', toolCallId });
    await mallory.sync();
    expect(await chatState(alice, waiting.chat)).toEqual(before);
  });

  it('is answered once, and everybody sees by whom', async () => {
    const { turnId, toolCallId } = await prompt();
    mallory.dispatch(waiting.chat, {
      type: 'chat/toolCallConfirmed',
      turnId,
      toolCallId,
      approved: false,
      reason: 'denied',
    });
    const { origin } = await alice.envelope(({ action }) => action.type === 'chat/toolCallConfirmed');
    expect(origin?.clientId).toBe(mallory.clientId);
    await reasonFor(alice, waiting.chat, { ...approval, turnId, toolCallId });
  });

  it('cannot be forged, nor can what only an agent says', async () => {
    const { turnId, toolCallId } = await prompt();
    const before = await chatState(alice, waiting.chat);
    const forged = [
      { type: 'chat/toolCallReady', turnId, toolCallId, invocationMessage: 'x', confirmed: 'not-needed' },
      { type: 'chat/toolCallComplete', turnId, toolCallId, result: { success: true, pastTenseMessage: 'x' } },
      { type: 'chat/turnComplete', turnId },
      { type: 'chat/delta', turnId, partId: 'p', content: 'x' },
      { type: 'chat/inputRequested', request: { id: 'r' } },
    ];
    for (const action of forged) await reasonFor(mallory, waiting.chat, action);
    expect(await chatState(alice, waiting.chat)).toEqual(before);
  });
});

describe('one session', () => {
  it('gives nothing of itself to another: no fork of its chats, no chat of the same name', async () => {
    const turnId = await turn(alice, waiting.chat, '/say private');
    const chat = host.newChatUri();
    const source = { chat: waiting.chat, turnId };
    const { code } = await mallory.refused('createChat', { channel: other.session, chat, source });
    expect(code).toBe(JsonRpcErrorCodes.InvalidParams);
    expect((await mallory.refused('createChat', { channel: other.session, chat: waiting.chat })).code).toBe(
      AhpErrorCodes.AlreadyExists,
    );
    expect((await chatState(mallory, other.chat)) satisfies ChatState).toMatchObject({ turns: [] });
  });

  it('is not changed by who speaks in the name of somebody else', async () => {
    const taken = await host.rawClient({ clientId: alice.clientId, token: host.otherToken });
    const { message } = await taken.refused('initialize', {
      channel: 'ahp-root://',
      clientId: alice.clientId,
      protocolVersions: ['1.0.0'],
    });
    expect(message).not.toContain(host.token);
    await alice.sync(); // still connected
    const role = { clientId: alice.clientId, tools: [] };
    await reasonFor(mallory, other.session, { type: 'session/activeClientSet', activeClient: role });
  });
});
