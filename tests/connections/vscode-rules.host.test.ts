import { type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, callsOf, chatState, startTurn, turn, turnEnd } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

/** What VS Code relies on without saying so; each number is explained in docs/PROTOCOL.md. */
let host: TestHost;
let vscode: WireClient;
let session: string;
let chat: string;
beforeEach(async () => {
  host = await TestHost.start();
  vscode = await host.client({ subscriptions: [ROOT_URI], program: 'vscode-editor-window' });
  ({ session, chat } = await host.session(vscode, {}, 'demo:/one'));
});
afterEach(() => host.dispose());

describe('the handshake', () => {
  it('answers a client that declares nothing with the root (V-2), and claims nothing that is not so (V-10)', async () => {
    const raw = await host.rawClient();
    const result = await raw.request('initialize', {
      channel: ROOT_URI,
      clientId: raw.clientId,
      protocolVersions: ['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1'],
      initialSubscriptions: [ROOT_URI],
    });
    expect(result.snapshots).toMatchObject([{ resource: ROOT_URI, state: { agents: expect.anything() } }]);
    expect(Object.keys(result._meta ?? {})).toEqual(['vscode.ahpSessionUris']);
  });
});

describe('a session', () => {
  it('has a default chat (V-13) without a title that would hide its own (V-45)', async () => {
    const state = await vscode.subscribe<SessionState>(session);
    expect(state.defaultChat).toBe(chat);
    expect(state.chats).toMatchObject([{ resource: chat, title: '' }]);
    expect((await vscode.subscribe<ChatState>(chat)).title).toBe('');
  });

  it('keeps a draft while no agent runs (V-22)', async () => {
    const draft = { text: 'not yet', origin: { kind: 'user' } };
    await accepted(vscode, chat, { type: 'chat/draftChanged', draft });
    expect((await chatState(vscode, chat)).draft).toEqual(draft);
  });

  it('is listed with the status of each of its chats (V-26)', async () => {
    startTurn(vscode, chat, '/ask Which? | one');
    await vscode.action(chat, 'chat/inputRequested');
    await vscode.sync();
    const { items } = await vscode.request('listSessions', { channel: ROOT_URI });
    const { status } = (await vscode.subscribe<SessionState>(session)).chats[0] ?? {};
    expect(items[0]?.chats).toMatchObject([{ resource: chat, status }]);
  });
});

describe('a turn', () => {
  it('is active until its one end, which has a duration; a part comes before what is added to it (V-17, V-18)', async () => {
    const turnId = startTurn(vscode, chat, '/say two words');
    await turnEnd(vscode, chat, turnId);
    const actions = vscode.actionsOn(chat);
    const types = actions.map(({ type }) => type);
    expect(types.indexOf('chat/turnStarted')).toBe(0);
    expect(types.indexOf('chat/responsePart')).toBeLessThan(types.indexOf('chat/delta'));
    const ends = actions.filter(({ type }) => /turnComplete|turnCancelled|chat\/error/.test(type));
    expect(ends).toEqual([{ type: 'chat/turnComplete', turnId, duration: expect.any(Number) }]);
    const state = await chatState(vscode, chat);
    expect(state).toMatchObject({ turns: [{ id: turnId }] });
    expect(state.activeTurn).toBeUndefined();
  });

  it('asks by a call that is not confirmed, and the echo has what was chosen (V-19)', async () => {
    const turnId = startTurn(vscode, chat, '/write a.txt text');
    const ready = await vscode.action(chat, 'chat/toolCallReady');
    expect(ready).not.toHaveProperty('confirmed');
    const choice = { ...approval(turnId, ready.toolCallId), selectedOptionId: ready.options?.[0]?.id };
    expect((await accepted(vscode, chat, choice)).action).toMatchObject(choice);
    await turnEnd(vscode, chat, turnId);
  });

  it('that is cancelled takes back what it asked for (V-20)', async () => {
    const turnId = startTurn(vscode, chat, '/ask Which? | one');
    const { request } = await vscode.action(session, 'session/inputNeededSet');
    await accepted(vscode, chat, { type: 'chat/turnCancelled', turnId, duration: 1 });
    expect(await vscode.action(session, 'session/inputNeededRemoved')).toMatchObject({ id: request.id });
    expect((await vscode.subscribe<SessionState>(session)).inputNeeded ?? []).toEqual([]);
  });

  it('says how its calls are to be shown (V-31)', async () => {
    await turn(vscode, chat, '/auto on\n/run true\n/read missing.txt');
    const calls = callsOf((await chatState(vscode, chat)).turns[0]?.responseParts);
    expect(calls.map(({ _meta }) => _meta?.toolKind)).toEqual(['terminal', 'read']);
  });
});
