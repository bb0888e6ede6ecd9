import { describe, expect, it } from 'vitest';
import {
  type ActionOf,
  type ChatState,
  CREATED_AT,
  reduce,
  type SessionState,
  type StateAction,
} from '../../src/index.js';
import { type Change, type Directory, dialectOf, type Notice, type WireObject } from '../../src/versions/index.js';
import { activeTurn, callPart, chatState, error, finishedTurn, message, sessionState } from '../support/samples.js';

const SESSION = 'ahp-session:/s';
const CHAT = 'ahp-chat:/c';

function directoryOf(session: SessionState, chat?: ChatState): Directory {
  return {
    defaultDirectory: undefined,
    now: () => 0,
    resolve: (uri) => uri,
    providerOf: () => 'mock',
    session: (uri) => (uri === SESSION ? session : undefined),
    chat: (uri) => (uri === CHAT ? chat : undefined),
    sessionOfChat: () => ({ uri: SESSION, state: session }),
  };
}

const session = sessionState({ defaultChat: CHAT, chats: [chatState({ resource: CHAT })] });

function shown(version: string | number, chat: ChatState): WireObject | undefined {
  const ref = { uri: SESSION, state: session };
  return dialectOf(version)?.down?.state(
    { kind: 'chat', uri: CHAT, state: chat, session: ref },
    directoryOf(session, chat),
  );
}

function sent(version: string | number, before: ChatState, action: ActionOf<'chat'>): WireObject[] {
  const after = reduce('chat', before, action, { now: () => 0 });
  return translated(version, { channel: CHAT, kind: 'chat', action, before, after }, directoryOf(session, after));
}

function translated(version: string | number, change: Change, directory: Directory): WireObject[] {
  const full = { ...change, session: { uri: SESSION, state: session } };
  const all = dialectOf(version)?.down?.change(full, directory) ?? [];
  return all.map((one) => ('action' in one ? one.action : one.params));
}

function replayable(version: string | number, action: StateAction, chat: ChatState): boolean | undefined {
  const change: Change = { channel: CHAT, kind: 'chat', action, session: { uri: SESSION, state: session } };
  return dialectOf(version)?.down?.isReplayable(change, directoryOf(session, chat));
}

describe('text', () => {
  const action: StateAction = { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' };

  it.each(['0.4.0', '0.5.0', '0.5.1', '0.5.2', '0.6.0', '0.7.0', '0.9.0'])('is sent to %s as it is', (version) => {
    const [one] = dialectOf(version)?.down?.change({ channel: CHAT, kind: 'chat', action }, directoryOf(session)) ?? [];
    expect(one && 'action' in one && one.action).toBe(action);
  });
});

describe('an error', () => {
  const part = { kind: 'error', error, resumable: true } as const;
  const busy = chatState({ resource: CHAT, status: 8, activeTurn: activeTurn('t') });
  const failed = chatState({
    resource: CHAT,
    turns: [finishedTurn('t0'), finishedTurn('t', { state: 'error', responseParts: [part] })],
  });

  it('is beside the parts of the turn before 0.9', () => {
    const action = { type: 'chat/error', turnId: 't', duration: 5, part } as const;
    expect(sent('0.9.0', busy, action)).toEqual([action]);
    expect(sent('0.7.0', busy, action)).toEqual([{ type: 'chat/error', turnId: 't', duration: 5, error }]);
    expect(sent('0.5.2', busy, action)).toEqual([{ type: 'chat/error', turnId: 't', error }]);
    expect(shown('0.7.0', failed)).toMatchObject({ turns: [{}, { state: 'error', error, responseParts: [] }] });
  });

  it('that a turn went on after is a notice in it', () => {
    const resumed = chatState({ activeTurn: { ...activeTurn('t'), responseParts: [part] } });
    expect(shown('0.7.0', resumed)).toMatchObject({
      activeTurn: { responseParts: [{ kind: 'systemNotification', content: error.message }] },
    });
  });

  it('does not end a turn for good: it begins anew with all its parts', () => {
    const action = { type: 'chat/turnResume', turnId: 't' } as const;
    expect(sent('0.9.0', failed, action)).toEqual([action]);
    expect(sent('0.7.0', failed, action)).toMatchObject([
      { type: 'chat/truncated', turnId: 't0' },
      { type: 'chat/turnStarted', turnId: 't', message: message('ask t') },
      { type: 'chat/responsePart', turnId: 't', part: { kind: 'systemNotification' } },
    ]);
    expect(sent('0.7.0', busy, action)).toEqual([]);
    expect(replayable('0.7.0', action, failed)).toBe(false);
    expect(replayable('0.9.0', action, failed)).toBe(true);
  });
});

describe('a question', () => {
  const open = { kind: 'inputRequest', request: { id: 'q', message: 'Which?' } } as const;
  const answered = { ...open, response: 'accept' } as const;
  const asking = chatState({ status: 24, activeTurn: activeTurn('t', [open, { ...answered }]) });

  it('is beside the turns until it is answered before 0.6', () => {
    expect(shown('0.6.0', asking)).toMatchObject({ activeTurn: { responseParts: [open, answered] } });
    const state = shown('0.5.2', asking);
    expect(state).toMatchObject({ inputRequests: [open.request], activeTurn: { responseParts: [answered] } });
    expect(state).not.toHaveProperty('activeTurn.startedAt');
    expect(shown('0.5.1', asking)).toMatchObject({ inputRequests: [open.request], activeTurn: { responseParts: [] } });
  });

  it('outside of a turn is not asked', () => {
    const action = { type: 'chat/inputRequested', request: open.request } as const;
    expect(sent('0.5.2', chatState(), action)).toEqual([]);
    expect(sent('0.5.2', chatState({ activeTurn: activeTurn('t') }), action)).toEqual([action]);
    expect(replayable('0.5.2', action, chatState())).toBe(true);
  });

  it('that nobody answered in time is forgotten', () => {
    const over = chatState({ turns: [finishedTurn('t', { responseParts: [open] })] });
    expect(shown('0.5.2', over)).not.toHaveProperty('inputRequests');
    expect(shown('0.5.2', over)).toMatchObject({ turns: [{ responseParts: [] }] });
  });
});

describe('a call that waits for approval', () => {
  const base = { toolCallId: 'c', toolName: 'x', displayName: 'X', invocationMessage: 'ls', toolInput: 'ls' } as const;
  const pending = { ...base, status: 'pending-confirmation' } as const;
  const ready = { type: 'chat/toolCallReady', turnId: 't', toolCallId: 'c', invocationMessage: 'rm' } as const;
  const waiting = (over: object = {}) =>
    chatState({ resource: CHAT, status: 24, activeTurn: activeTurn('t', [callPart({ ...pending, ...over })]) });

  it('asks anew where it cannot be described anew', () => {
    expect(sent('0.6.0', waiting(), ready)).toEqual([ready]);
    expect(sent('0.5.2', waiting(), { ...ready, toolInput: 'rm' })).toEqual([
      { type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: true, confirmed: 'not-needed' },
      { ...ready, toolInput: 'rm' },
    ]);
  });

  it('does not make a client run its own tool meanwhile', () => {
    const own = waiting({ contributor: { kind: 'client', clientId: 'a' } });
    expect(sent('0.5.2', own, ready)).toEqual([]);
    expect(sent('0.5.2', own, { ...ready, confirmed: 'setting' })).toHaveLength(2);
  });

  it('is replayed only if it still shows what it asked first', () => {
    expect(replayable('0.5.2', { ...ready, invocationMessage: 'ls', toolInput: 'ls' }, waiting())).toBe(true);
    expect(replayable('0.5.2', ready, waiting())).toBe(false);
    expect(replayable('0.6.0', ready, waiting())).toBe(true);
  });
});

describe('what a session waits for', () => {
  it('is no longer that when it is a token, which 0.5.2 does not know', () => {
    const toolCall = {
      toolCallId: 'c',
      toolName: 'x',
      displayName: 'X',
      invocationMessage: 'x',
      status: 'auth-required',
      confirmed: 'not-needed',
      contributor: { kind: 'mcp', customizationId: 'm' },
      auth: { reason: 'required', resource: { resource: 'https://x' } },
    } as const;
    const request = { id: 'c', chat: CHAT, kind: 'toolAuthentication', turnId: 't', toolCall } as const;
    const action: StateAction = { type: 'session/inputNeededSet', request };
    const change: Change = { channel: SESSION, kind: 'session', action };
    expect(translated('0.6.0', change, directoryOf(session))).toEqual([action]);
    expect(translated('0.5.2', change, directoryOf(session))).toEqual([
      { type: 'session/inputNeededRemoved', id: 'c' },
    ]);
    expect(translated('0.5.0', change, directoryOf(session))).toEqual([]);
  });
});

describe('a session in 0.4', () => {
  const draft = { ...message('so far'), model: { id: 'm', config: { effort: 3 } } };
  const chat = chatState({ resource: CHAT, draft });
  const state = sessionState({
    defaultChat: CHAT,
    chats: [chatState({ resource: CHAT, modifiedAt: '2026-01-02T00:00:00.000Z' })],
    workingDirectories: ['file:///w', 'file:///more'],
    activeClients: [
      { clientId: 'a', tools: [] },
      { clientId: 'b', tools: [] },
    ],
    _meta: { [CREATED_AT]: '2026-01-01T00:00:00.000Z' },
  });

  it('has a summary with times, the model of its default chat, its first folder, and the last active client', () => {
    const down = dialectOf('0.4.0')?.down;
    const shownState = down?.state({ kind: 'session', uri: SESSION, state }, directoryOf(state, chat));
    expect(shownState).toMatchObject({
      summary: {
        resource: SESSION,
        title: 'A session',
        createdAt: Date.UTC(2026, 0, 1),
        modifiedAt: Date.UTC(2026, 0, 2),
        model: { id: 'm', config: { effort: '3' } },
        workingDirectory: 'file:///w',
      },
      activeClient: { clientId: 'b' },
    });
    for (const name of ['title', 'activeClients', '_meta']) expect(shownState).not.toHaveProperty(name);
  });

  it('hears of the model when the draft changes, on the session', () => {
    const action = { type: 'chat/draftChanged', draft: { ...draft, model: { id: 'n' } } } as const;
    expect(sent('0.4.0', chat, action)).toEqual([{ type: 'session/modelChanged', model: { id: 'n' } }]);
    expect(sent('0.4.0', chat, { type: 'chat/draftChanged', draft: { ...draft, text: 'more' } })).toEqual([]);
    expect(sent('0.3.0', chat, action)).toEqual([{ type: 'session/modelChanged', model: { id: 'n' } }]);
    expect(sent('0.5.0', chat, action)).toEqual([action]);
  });
});

describe('lists and notifications', () => {
  const summary = {
    resource: SESSION,
    provider: 'demo',
    title: 't',
    status: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    modifiedAt: '2026-01-02T00:00:00.000Z',
    workingDirectories: ['file:///w'],
    chats: [],
    defaultChat: CHAT,
  };
  const notified = (version: string, notice: Notice) =>
    dialectOf(version)?.down?.notification(notice, directoryOf(session));

  it('have what the version knows of a session', () => {
    const result = (version: string) =>
      dialectOf(version)?.down?.result('listSessions', { items: [summary], nextCursor: 'n' }, directoryOf(session));
    const { chats: _chats, defaultChat: _default, ...in09 } = summary;
    expect(result('0.9.0')).toEqual({ items: [in09], nextCursor: 'n' });
    const { workingDirectories: _directories, ...others } = in09;
    const in06 = { ...others, workingDirectory: 'file:///w' };
    expect(result('0.6.0')).toEqual({ items: [in06], nextCursor: 'n' });
    const times = { createdAt: Date.UTC(2026, 0, 1), modifiedAt: Date.UTC(2026, 0, 2) };
    expect(result('0.4.0')).toEqual({ items: [{ ...in06, ...times }] });
  });

  it('are not sent when nothing is left to say', () => {
    const changed = (changes: WireObject) => ({
      method: 'root/sessionSummaryChanged',
      params: { channel: 'ahp-root://', session: SESSION, changes },
    });
    expect(notified('0.9.0', changed({ chats: [] }))).toBeUndefined();
    expect(notified('0.6.0', changed({ workingDirectories: null }))).toEqual(changed({ workingDirectory: null }));
    expect(notified('0.4.0', changed({ chats: [], title: 'n' }))).toEqual(changed({ title: 'n' }));
    expect(notified('0.4.0', { method: 'root/progress', params: {} })).toBeUndefined();
  });

  it('ask for a token by the name of the resource before 0.9', () => {
    const notice = { method: 'auth/required', params: { channel: SESSION, resource: { resource: 'https://x' } } };
    expect(notified('0.9.0', notice)).toEqual(notice);
    expect(notified('0.7.0', notice)).toEqual({
      method: 'auth/required',
      params: { channel: SESSION, resource: 'https://x' },
    });
  });

  it('say in the handshake only what the version knows', () => {
    const result = { serverInfo: { name: 'moorage' }, _meta: { a: 1 }, environment: {}, serverSeq: 1 };
    const initialize = (version: string) =>
      dialectOf(version)?.down?.result('initialize', result, directoryOf(session));
    expect(initialize('0.9.0')).toEqual({ serverInfo: { name: 'moorage' }, _meta: { a: 1 }, serverSeq: 1 });
    expect(initialize('0.7.0')).toEqual({ serverInfo: { name: 'moorage' }, serverSeq: 1 });
    expect(initialize('0.5.1')).toEqual({ serverSeq: 1 });
  });
});
