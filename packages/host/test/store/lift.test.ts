import type { JsonObject } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { liftToToday } from '../../src/adapters/store-sqlite/older-format/lift.js';
import { liftDocument, liftEntry } from '../../src/adapters/store-sqlite/older-format/lift-texts.js';

describe('what was stored in 0.4 becomes native', () => {
  const uri = 'ahp-session:/s';
  const message = { text: 'Hello', origin: { kind: 'user' } };
  const chatUri = 'ahp-chat:/c';
  const model = { id: 'large', config: { effort: 'high' } };
  const agent = { uri: 'file:///a.md' };
  const oldSummary = { resource: uri, provider: 'demo', title: 'T', status: 1, createdAt: 10, modifiedAt: 5_000 };
  const oldChat = { resource: chatUri, title: 'C', status: 1, modifiedAt: '1970-01-01T00:00:01.000Z', turns: [] };
  const oldSession = {
    summary: oldSummary,
    lifecycle: 'ready',
    chats: [{ ...oldChat, turns: undefined, modifiedAt: '1970-01-01T00:00:02.000Z' }],
  };
  const ofSession = { uri, kind: 'session' } as const;
  const state = liftToToday.state(oldSession, ofSession);
  const ofChat = {
    uri: chatUri,
    kind: 'chat',
    session: { uri, state, oldSummary: { ...oldSummary, model, agent } },
  } as const;
  const withLog = (channel: typeof ofSession | typeof ofChat, old: JsonObject, ...logged: readonly JsonObject[]) => {
    const envelopes = logged.map((each, index) => JSON.stringify({ channel: '', serverSeq: index + 1, ...each }));
    return liftEntry(liftToToday, envelopes.join(','), channel, { state: liftToToday.state(old, channel) });
  };

  it('the model and the agent of a session, in every chat that users write to', () => {
    const draftOf = (old: JsonObject) => liftToToday.state({ ...oldChat, ...old }, ofChat).draft;
    expect(draftOf({})).toEqual({ text: '', origin: { kind: 'user' }, model, agent });
    expect(draftOf({ model: { id: 'own' } })).toMatchObject({ model: { id: 'own' }, agent });
    expect(draftOf({ origin: { kind: 'tool', chat: chatUri, toolCallId: 'x' } })).toBeUndefined();
    expect(withLog(ofSession, oldSession, { action: { type: 'session/modelChanged', model } }).envelopes).toBe('');
  });

  it('the one active client, also when another took its place', () => {
    const become = (clientId: string) => ({
      action: { type: 'session/activeClientChanged', activeClient: { clientId, tools: [] } },
    });
    const left = { action: { type: 'session/activeClientChanged', activeClient: null }, previousClient: 'b' };
    const active = (...logged: readonly JsonObject[]) => withLog(ofSession, oldSession, ...logged).state?.activeClients;
    expect(active(become('a'), become('b'))).toEqual([{ clientId: 'b', tools: [] }]);
    expect(active(become('b'), left)).toEqual([]);
    const unknown = liftEntry(liftToToday, JSON.stringify({ serverSeq: 1, ...left }), ofSession, { state: undefined });
    expect(JSON.parse(unknown.envelopes)).toEqual({
      serverSeq: 1,
      action: { type: 'session/activeClientRemoved', clientId: 'b' },
    });
  });

  it('turns of the log, without times that nobody knows, and when the chat was last used', () => {
    const start = { type: 'chat/turnStarted', turnId: 't', message: message };
    const error = { errorType: 'x', message: 'failed' };
    const { turns, modifiedAt } =
      withLog(ofChat, oldChat, { action: start }, { action: { type: 'chat/error', turnId: 't', error } }).state ?? {};
    const failed = { id: 't', state: 'error', responseParts: [{ kind: 'error', error }] };
    expect([turns, modifiedAt]).toEqual([[expect.objectContaining(failed)], '1970-01-01T00:00:02.000Z']);
    const [turn] = turns as readonly object[];
    expect(Object.keys(turn ?? {})).toEqual(expect.not.arrayContaining(['startedAt']));
    expect(Object.keys(turn ?? {})).toEqual(expect.not.arrayContaining(['duration']));
    const unlisted = { ...ofChat, session: { ...ofChat.session, state: { ...state, chats: [] } } };
    expect(liftToToday.state(oldChat, unlisted).modifiedAt).toBe('1970-01-01T00:00:05.000Z');
  });

  it('questions, in the turn that asks; nobody could answer others', () => {
    const inputRequests = [{ id: 'q', message: 'Which?' }];
    const activeTurn = { id: 't', message: message, responseParts: [] };
    expect(liftToToday.state({ ...oldChat, status: 24, inputRequests, activeTurn }, ofChat)).toMatchObject({
      status: 24,
      activeTurn: { responseParts: [{ kind: 'inputRequest', request: { id: 'q' } }] },
    });
    const idle = liftToToday.state({ ...oldChat, status: 24, inputRequests }, ofChat);
    expect([idle.status, idle.inputRequests, idle.activeTurn]).toEqual([1, undefined, undefined]);
  });

  it('the list of sessions, with their chats', () => {
    expect(liftToToday.summary({ ...oldSummary, model, workingDirectory: 'file:///w' }, state)).toEqual({
      resource: uri,
      provider: 'demo',
      title: 'T',
      status: 1,
      createdAt: '1970-01-01T00:00:00.010Z',
      modifiedAt: '1970-01-01T00:00:05.000Z',
      workingDirectories: ['file:///w'],
      chats: [{ resource: chatUri, title: 'C', status: 1 }],
    });
  });

  it('documents: chats of removed sessions, choices of customizations, what is kept of foreign changesets', () => {
    const lifted = (collection: string, key: string, value: unknown) => {
      const { key: newKey, json = '' } =
        liftDocument(liftToToday, collection, { key, json: JSON.stringify(value) }) ?? {};
      return [newKey, JSON.parse(json)];
    };
    const removed = { chats: [{ ...oldChat, model, workingDirectory: 'file:///w' }], defaultChat: chatUri };
    expect(lifted('removedChats', uri, removed)).toEqual([
      uri,
      { chats: [{ ...oldChat, workingDirectories: ['file:///w'] }], defaultChat: chatUri },
    ]);
    expect(lifted('customizations', uri, [['plugin', false]])).toEqual([
      uri,
      [['plugin', [{ kind: 'session', enabled: false }]]],
    ]);
    const [before, now] = ['ahp-changeset:/copilot%3A%2Fx/changeset/turn/t', 'copilot:/x/changeset/turn/t'];
    expect(lifted('changes', `operations ${before}`, { undo: ['o'] })).toEqual([`operations ${now}`, { undo: ['o'] }]);
    expect(lifted('changes', `reviewed ${before}`, {})).toEqual([`reviewed ${now}`, {}]);
    expect(lifted('changes', 'operation o', { id: 'o', channel: before })).toEqual([
      'operation o',
      { id: 'o', channel: now },
    ]);
    expect(lifted('changes', `${uri} t`, { turnId: 't' })).toEqual([`${uri} t`, { turnId: 't' }]);
    expect(liftDocument(liftToToday, 'client', { key: 'c', json: '{"protocolVersion":"0.4.0"}' })).toBeUndefined();
  });
});
