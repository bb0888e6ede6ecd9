import { describe, expect, it } from 'vitest';
import type { ChatState, SessionState } from '../../src/index.js';
import { type Directory, dialectOf, type WireAction, type WireObject } from '../../src/versions/index.js';
import { activeTurn, chatState, message, plugin, sessionState } from '../support/samples.js';

const SESSION = 'ahp-session:/s';
const CHAT = 'ahp-chat:/c';
const NOW = Date.UTC(2026, 10, 18, 12, 0, 5);

function directoryOf(session: Partial<SessionState> = {}, chat: Partial<ChatState> = {}): Directory {
  const state = sessionState({ defaultChat: CHAT, chats: [{ ...chatState({ resource: CHAT }) }], ...session });
  const own = chatState({ resource: CHAT, ...chat });
  return {
    defaultDirectory: undefined,
    now: () => NOW,
    resolve: (uri) => uri,
    providerOf: () => 'mock',
    session: (uri) => (uri === SESSION ? state : undefined),
    chat: (uri) => (uri === CHAT ? own : undefined),
    sessionOfChat: (uri) => (uri === CHAT ? { uri: SESSION, state } : undefined),
  };
}

function dispatched(version: string | number, channel: string, action: WireAction, directory = directoryOf()) {
  return dialectOf(version)?.up.action({ channel, action }, directory);
}

function asked(version: string | number, method: string, params: WireObject, directory = directoryOf()) {
  return dialectOf(version)?.up.request(method, params, directory);
}

describe('a turn from a client without times', () => {
  const start = { type: 'chat/turnStarted', turnId: 't', message: message('hello') };

  it.each(['0.5.0', '0.5.1', '0.5.2'])('of %s starts by the clock of the host', (version) => {
    expect(dispatched(version, CHAT, start)).toEqual({
      kind: 'action',
      channel: CHAT,
      action: { ...start, startedAt: '2026-11-18T12:00:05.000Z' },
    });
  });

  it('takes as long as the host measured', () => {
    const busy = directoryOf({}, { activeTurn: { ...activeTurn('t'), startedAt: '2026-11-18T12:00:02.500Z' } });
    expect(dispatched('0.5.2', CHAT, { type: 'chat/turnCancelled', turnId: 't' }, busy)).toMatchObject({
      action: { type: 'chat/turnCancelled', turnId: 't', duration: 2500 },
    });
    expect(dispatched('0.6.0', CHAT, { type: 'chat/turnCancelled', turnId: 't', duration: 7 }, busy)).toMatchObject({
      action: { duration: 7 },
    });
  });

  it('of 0.4 is for the model and the agent that were chosen for the session', () => {
    const draft = { ...message('so far'), model: { id: 'm' }, agent: { uri: 'file:///a.md' } };
    expect(dispatched('0.4.0', CHAT, start, directoryOf({}, { draft }))).toMatchObject({
      action: { message: { text: 'hello', model: { id: 'm' }, agent: { uri: 'file:///a.md' } } },
    });
  });
});

describe('the model of a session in 0.4', () => {
  it('is that of the draft in its default chat, whose text stays', () => {
    const draft = { ...message('so far'), agent: { uri: 'file:///a.md' } };
    const chosen = { type: 'session/modelChanged', model: { id: 'm' } };
    expect(dispatched('0.4.0', SESSION, chosen, directoryOf({}, { draft }))).toEqual({
      kind: 'action',
      channel: CHAT,
      action: {
        type: 'chat/draftChanged',
        draft: { text: 'so far', origin: { kind: 'user' }, model: { id: 'm' }, agent: { uri: 'file:///a.md' } },
      },
      isRephrased: true,
    });
  });

  it('may be given as a text, and makes an empty draft where there is none', () => {
    expect(dispatched('0.4.0', SESSION, { type: 'session/modelChanged', model: 'm' })).toMatchObject({
      action: { draft: { text: '', origin: { kind: 'user' }, model: { id: 'm' } } },
    });
  });

  it('stays when the agent is taken away', () => {
    const draft = { ...message(''), model: { id: 'm' }, agent: { uri: 'file:///a.md' } };
    const outcome = dispatched('0.4.0', SESSION, { type: 'session/agentChanged' }, directoryOf({}, { draft }));
    expect(outcome).toMatchObject({ action: { draft: { text: '', model: { id: 'm' } } } });
    expect(outcome).not.toHaveProperty('action.draft.agent');
  });

  it.each(['0.3.0', '0.2.0', 1])('is chosen in %s for the chat that the session shows', (version) => {
    const chosen = { type: 'session/modelChanged', model: { id: 'm' }, session: SESSION };
    expect(dispatched(version, SESSION, chosen)).toMatchObject({
      channel: CHAT,
      action: { type: 'chat/draftChanged' },
    });
  });

  it('cannot be chosen without a chat', () => {
    const none = directoryOf({ defaultChat: undefined });
    expect(dispatched('0.4.0', SESSION, { type: 'session/modelChanged', model: { id: 'm' } }, none)).toEqual({
      kind: 'reject',
      reason: 'the session has no chat',
    });
  });
});

describe('the active client of 0.4', () => {
  const first = { clientId: 'a', tools: [] };
  const both = directoryOf({ activeClients: [first, { clientId: 'b', tools: [] }] });

  it('is one more natively', () => {
    const set = { type: 'session/activeClientChanged', activeClient: { clientId: 'c', tools: [] } };
    expect(dispatched('0.4.0', SESSION, set, both)).toEqual({
      kind: 'action',
      channel: SESSION,
      action: { type: 'session/activeClientSet', activeClient: { clientId: 'c', tools: [] } },
      isRephrased: true,
    });
  });

  it('leaves by name, the last one first', () => {
    const released = { type: 'session/activeClientChanged', activeClient: null };
    expect(dispatched('0.4.0', SESSION, released, both)).toMatchObject({
      action: { type: 'session/activeClientRemoved', clientId: 'b' },
    });
    expect(dispatched('0.4.0', SESSION, released)).toEqual({ kind: 'reject', reason: 'no client is active' });
  });

  it('changes its tools', () => {
    const tools = [{ name: 'open' }];
    expect(dispatched('0.4.0', SESSION, { type: 'session/activeClientToolsChanged', tools }, both)).toMatchObject({
      action: { type: 'session/activeClientSet', activeClient: { clientId: 'b', tools } },
    });
  });

  it('has plugins that are on or off', () => {
    const customizations = [{ type: 'plugin', id: 'p', uri: 'file:///p', name: 'p', enabled: false }];
    const set = { type: 'session/activeClientSet', activeClient: { ...first, customizations } };
    const [lifted] = [dispatched('0.7.0', SESSION, set)];
    expect(lifted).toMatchObject({
      action: { activeClient: { customizations: [{ id: 'p', enablement: [{ kind: 'session', enabled: false }] }] } },
    });
    expect(lifted).not.toHaveProperty('action.activeClient.customizations.0.enabled');
  });
});

describe('what other versions say differently', () => {
  it('a customization is switched for the session, and wider decisions stay', () => {
    const wider = { kind: 'global', enabled: false } as const;
    const known = directoryOf({
      customizations: [plugin('p', { enablement: [{ kind: 'session', enabled: false }, wider] })],
    });
    const toggled = { type: 'session/customizationToggled', id: 'p', enabled: true };
    expect(dispatched('0.7.0', SESSION, toggled, known)).toMatchObject({
      action: {
        type: 'session/customizationToggled',
        id: 'p',
        enablement: [{ kind: 'session', enabled: true }, wider],
      },
    });
  });

  it('a thing inside a container can be switched since 0.5.2', () => {
    const child = { type: 'skill', id: 'inside', uri: 'file:///s', name: 's' } as const;
    const known = directoryOf({ customizations: [plugin('p', { children: [child] })] });
    const toggled = { type: 'session/customizationToggled', id: 'inside', enabled: false };
    expect(dispatched('0.5.2', SESSION, toggled, known)).toMatchObject({ kind: 'action' });
    expect(dispatched('0.5.1', SESSION, toggled, known)).toEqual({
      kind: 'reject',
      reason: 'there is no customization "inside" at the top',
    });
  });

  it('an annotation says in which session it was made', () => {
    const channel = `${SESSION}/annotations`;
    const annotation = { id: 'a', turnId: 't', resource: 'file:///a', resolved: false, entries: [] };
    expect(dispatched('0.7.0', channel, { type: 'annotations/set', annotation })).toEqual({
      kind: 'action',
      channel,
      action: {
        type: 'annotations/set',
        annotation: {
          id: 'a',
          resource: 'file:///a',
          resolved: false,
          entries: [],
          origin: { session: SESSION, turnId: 't' },
        },
      },
    });
    expect(dispatched('0.4.0', channel, { type: 'annotations/updated', annotationId: 'a', turnId: '' })).toMatchObject({
      action: { annotationId: 'a', origin: { session: SESSION } },
    });
  });

  it('a terminal of a session is that of its default chat', () => {
    const claim = { kind: 'session', session: SESSION };
    expect(dispatched('0.7.0', 'ahp-terminal:/t', { type: 'terminal/claimed', claim })).toMatchObject({
      action: { claim: { ...claim, chat: CHAT } },
    });
    expect(asked('0.7.0', 'createTerminal', { channel: 'ahp-terminal:/t', claim })).toEqual({
      channel: 'ahp-terminal:/t',
      claim: { ...claim, chat: CHAT },
    });
  });

  it.each([
    ['0.4.0', 'chat/draftChanged'],
    ['0.5.0', 'session/mcpServerStartRequested'],
    ['0.5.2', 'changeset/filesReviewChanged'],
    ['0.6.0', 'session/workingDirectorySet'],
    ['0.7.0', 'chat/turnResume'],
  ])('%s cannot send %s', (version, type) => {
    expect(dispatched(version, SESSION, { type })).toEqual({ kind: 'reject', reason: `unknown action type "${type}"` });
  });

  it('0.9 may send what VS Code of September sends', () => {
    const read = { type: 'chat/isReadChanged', isRead: true };
    expect(dispatched('0.9.0', CHAT, read)).toEqual({ kind: 'action', channel: CHAT, action: read });
  });

  it('an action on a session that belongs on a chat goes to its default chat', () => {
    for (const version of ['0.4.0', '0.5.2', '0.7.0', '0.9.0', '1.0.0']) {
      expect(dispatched(version, SESSION, { type: 'chat/truncated' })).toMatchObject({ channel: CHAT });
      expect(dispatched(version, SESSION, { type: 'session/turnStarted' })).toMatchObject({
        reason: `send "chat/turnStarted" on the chat ${CHAT} instead`,
      });
    }
  });
});

describe('requests of older versions', () => {
  it('create a session in one folder, as a copy, with a model', () => {
    const params = { channel: SESSION, workingDirectory: 'file:///w', fork: { session: 'x', turnId: 't' } };
    expect(asked('0.7.0', 'createSession', { channel: SESSION, fork: params.fork })).toEqual({
      channel: SESSION,
      _meta: { 'moorage.fork': params.fork },
    });
    expect(asked('0.6.0', 'createSession', params)).toEqual({
      channel: SESSION,
      workingDirectories: ['file:///w'],
      _meta: { 'moorage.fork': params.fork },
    });
    expect(asked('0.4.0', 'createSession', { channel: SESSION, model: 'm', _meta: { a: 1 } })).toEqual({
      channel: SESSION,
      _meta: { a: 1, 'moorage.draft': { text: '', origin: { kind: 'user' }, model: { id: 'm' } } },
    });
    expect(asked('0.9.0', 'createSession', { channel: SESSION, workingDirectories: ['file:///w'] })).toEqual({
      channel: SESSION,
      workingDirectories: ['file:///w'],
    });
  });

  it('create a chat from a turn of another one', () => {
    const params = { channel: SESSION, chat: CHAT, source: { chat: 'ahp-chat:/x', turnId: 't' } };
    expect(asked('0.6.0', 'createChat', params)).toMatchObject({ source: { kind: 'fork', ...params.source } });
    const first = { channel: SESSION, chat: CHAT, model: { id: 'm' }, initialMessage: message('go') };
    expect(asked('0.4.0', 'createChat', first)).toEqual({
      channel: SESSION,
      chat: CHAT,
      initialMessage: { ...message('go'), model: { id: 'm' } },
    });
  });

  it('get pages of turns in the answer before 0.5.1, and all turns when they subscribe', () => {
    const params = { channel: CHAT, before: 't3', limit: 2 };
    expect(asked('0.5.0', 'fetchTurns', params)).toEqual({
      channel: CHAT,
      _meta: { 'moorage.page': { before: 't3', limit: 2 } },
    });
    expect(asked(1, 'fetchTurns', { session: SESSION })).toEqual({ channel: CHAT, _meta: { 'moorage.page': {} } });
    expect(asked('0.5.1', 'fetchTurns', { channel: CHAT, cursor: 'c' })).toEqual({ channel: CHAT, cursor: 'c' });
    expect(asked('0.5.0', 'subscribe', { channel: CHAT, view: { turns: 1 } })).toEqual({ channel: CHAT });
    expect(asked('0.5.1', 'subscribe', { channel: CHAT, view: { turns: 1 } })).toMatchObject({ view: { turns: 1 } });
  });
});
