import { describe, expect, it } from 'vitest';
import {
  type ChannelKind,
  type ChatState,
  CREATED_AT,
  channelRegistry,
  reduce,
  type SessionState,
  SessionSummarySchema,
  strict,
} from '../../src/index.js';
import { liftAction, liftState, liftSummary, type WireAction, type WireObject } from '../../src/versions/index.js';
import { toWire } from '../../src/versions/shared/wire.js';

const SESSION = 'ahp-session:/s';
const CHAT = 'ahp-chat:/c';
const NOW = Date.UTC(2026, 10, 18);
const NOW_ISO = '2026-11-18T00:00:00.000Z';

class Store {
  session: SessionState | undefined;
  chat: ChatState | undefined;
  readonly directory = {
    now: () => NOW,
    session: (uri: string) => (uri === SESSION ? this.session : undefined),
    chat: (uri: string) => (uri === CHAT ? this.chat : undefined),
    sessionOfChat: () => this.session && { uri: SESSION, state: this.session },
  };

  /** Applies an action of a 0.4 log as a migration would. */
  apply(channel: string, action: WireAction, previousClient?: string): void {
    const state = channel === CHAT ? this.chat : this.session;
    for (const each of liftAction(action, {
      channel,
      directory: this.directory,
      state: state && toWire(state),
      previousClient,
    })) {
      if (each.channel === CHAT && this.chat)
        this.chat = reduce('chat', this.chat, each.action as never, { now: () => NOW });
      else if (this.session) this.session = reduce('session', this.session, each.action as never, { now: () => NOW });
    }
  }
}

function lifted<K extends ChannelKind>(kind: K, channel: string, state: WireObject, selection?: WireObject) {
  const native = liftState(kind, state, { channel, directory: new Store().directory, selection });
  expect(strict(channelRegistry[kind].state).check(JSON.parse(JSON.stringify(native)))).toBe(true);
  return native;
}

const summary04 = {
  resource: SESSION,
  provider: 'demo',
  title: 'Old',
  status: 33,
  createdAt: Date.UTC(2026, 0, 1),
  modifiedAt: Date.UTC(2026, 0, 2),
  model: { id: 'm' },
  workingDirectory: 'file:///w',
  changes: { files: 2 },
};
const chat04 = { resource: CHAT, title: 'c', status: 1, modifiedAt: '2026-01-02T00:00:00.000Z', turns: [] };
const said = { text: 'hi', origin: { kind: 'user' } };

describe('a session of 0.4', () => {
  it('keeps all it has, and when it was created', () => {
    const native = lifted('session', SESSION, {
      summary: summary04,
      lifecycle: 'creationFailed',
      creationError: { errorType: 'x', message: 'y' },
      activeClient: { clientId: 'a', tools: [] },
      chats: [{ ...chat04, turns: undefined, model: { id: 'm' }, workingDirectory: 'file:///w' }],
      defaultChat: CHAT,
      customizations: [
        { type: 'plugin', id: 'on', uri: 'file:///on', name: 'on', enabled: true },
        {
          type: 'directory',
          id: 'd',
          uri: 'file:///d',
          name: 'd',
          enabled: false,
          contents: 'skill',
          writable: true,
          children: [
            { type: 'mcpServer', id: 's', uri: 'file:///s', name: 's', enabled: false, state: { kind: 'stopped' } },
          ],
        },
      ],
      _meta: { kept: true },
    });
    expect(native).toMatchObject({
      provider: 'demo',
      title: 'Old',
      status: 33,
      workingDirectories: ['file:///w'],
      lifecycle: 'failed',
      activeClients: [{ clientId: 'a' }],
      chats: [{ resource: CHAT, workingDirectories: ['file:///w'] }],
      customizations: [
        { id: 'on' },
        { id: 'd', enabled: false, children: [{ id: 's', enablement: [{ kind: 'session', enabled: false }] }] },
      ],
      _meta: { kept: true, [CREATED_AT]: '2026-01-01T00:00:00.000Z' },
    });
    expect(native).not.toHaveProperty('summary');
    expect(native.customizations?.[0]).not.toHaveProperty('enabled');
  });

  it('in a list has times as texts and no model', () => {
    const native = liftSummary(summary04, new Store().directory);
    expect(strict(SessionSummarySchema).check(native)).toBe(true);
    expect(native).toEqual({
      resource: SESSION,
      provider: 'demo',
      title: 'Old',
      status: 33,
      createdAt: '2026-01-01T00:00:00.000Z',
      modifiedAt: '2026-01-02T00:00:00.000Z',
      workingDirectories: ['file:///w'],
      changes: { files: 2 },
    });
  });
});

describe('a chat of 0.4', () => {
  it('has its errors as parts, its open questions in the turn, and its model as a draft', () => {
    const native = lifted('chat', CHAT, {
      ...chat04,
      status: 24,
      model: { id: 'own' },
      turns: [{ id: 't1', message: said, responseParts: [], state: 'error', error: { errorType: 'x', message: 'y' } }],
      activeTurn: { id: 't2', message: said, responseParts: [{ kind: 'markdown', id: 'p', content: 'x' }] },
      inputRequests: [{ id: 'q', message: 'Which?' }],
    });
    expect(native).toMatchObject({
      draft: { text: '', origin: { kind: 'user' }, model: { id: 'own' } },
      turns: [{ id: 't1', state: 'error', responseParts: [{ kind: 'error', error: { message: 'y' } }] }],
      activeTurn: {
        startedAt: chat04.modifiedAt,
        responseParts: [{ kind: 'markdown' }, { kind: 'inputRequest', request: { id: 'q', message: 'Which?' } }],
      },
    });
    expect(native.turns[0]).not.toHaveProperty('startedAt');
  });

  it('uses the model of its session, unless it is that of a sub-agent', () => {
    const selection = { model: { id: 'm' } };
    expect(lifted('chat', CHAT, chat04, selection)).toMatchObject({ draft: { model: { id: 'm' } } });
    const origin = { kind: 'tool', chat: 'ahp-chat:/x', toolCallId: 'c' };
    expect(lifted('chat', CHAT, { ...chat04, origin }, selection)).not.toHaveProperty('draft');
  });

  it('does not wait for what was asked outside of a turn', () => {
    const native = lifted('chat', CHAT, { ...chat04, status: 24 + 64, inputRequests: [{ id: 'q' }] });
    expect(native).toMatchObject({ status: 1 + 64, turns: [] });
    expect(native).not.toHaveProperty('inputRequests');
  });
});

describe('other channels of 0.4', () => {
  it('annotations say where they were made', () => {
    const annotation = { id: 'a', turnId: 't', resource: 'file:///a', resolved: false, entries: [] };
    expect(lifted('annotations', `${SESSION}/annotations`, { annotations: [annotation] })).toMatchObject({
      annotations: [{ id: 'a', origin: { session: SESSION, turnId: 't' } }],
    });
  });

  it('terminals have a lifecycle', () => {
    const terminal = { title: 't', content: [], claim: { kind: 'client', clientId: 'c' } };
    expect(lifted('terminal', 'ahp-terminal:/t', terminal)).toMatchObject({ lifecycle: { status: 'running' } });
    expect(lifted('terminal', 'ahp-terminal:/t', { ...terminal, exitCode: 3 })).toMatchObject({
      lifecycle: { status: 'exited', exitCode: 3 },
    });
  });
});

describe('a log of 0.4', () => {
  it('replays to what the session and its chat became', () => {
    const store = new Store();
    store.session = lifted('session', SESSION, {
      summary: summary04,
      lifecycle: 'ready',
      activeClient: { clientId: 'a', tools: [] },
      chats: [],
      defaultChat: CHAT,
    });
    store.chat = lifted('chat', CHAT, chat04, { model: { id: 'm' } });
    store.apply(SESSION, { type: 'session/modelChanged', model: { id: 'n' } });
    store.apply(SESSION, { type: 'session/activeClientChanged', activeClient: { clientId: 'b', tools: [] } }, 'a');
    store.apply(SESSION, { type: 'session/metaChanged', _meta: { later: 1 } });
    store.apply(CHAT, { type: 'chat/turnStarted', turnId: 't', message: said });
    store.apply(CHAT, { type: 'chat/inputRequested', request: { id: 'q' } });
    store.apply(CHAT, { type: 'chat/inputCompleted', requestId: 'q', response: 'accept' });
    store.apply(CHAT, { type: 'chat/toolCallStart', turnId: 't', toolCallId: 'c', toolName: 'x', displayName: 'X' });
    const ready = { type: 'chat/toolCallReady', turnId: 't', toolCallId: 'c', toolInput: 'ls' };
    store.apply(CHAT, { ...ready, invocationMessage: 'first' });
    store.apply(CHAT, { ...ready, invocationMessage: 'second' }); // without effect in 0.4
    expect(store.chat.activeTurn?.responseParts[1]).toMatchObject({ toolCall: { invocationMessage: 'first' } });
    store.apply(CHAT, { type: 'chat/error', turnId: 't', error: { errorType: 'x', message: 'y' } });
    expect(store.session).toMatchObject({
      activeClients: [{ clientId: 'b' }],
      _meta: { later: 1, [CREATED_AT]: '2026-01-01T00:00:00.000Z' },
    });
    expect(store.chat).toMatchObject({
      draft: { model: { id: 'n' } },
      turns: [
        {
          id: 't',
          startedAt: NOW_ISO,
          duration: 0,
          message: { ...said, model: { id: 'n' } },
          responseParts: [
            { kind: 'inputRequest', response: 'accept' },
            { kind: 'toolCall', toolCall: { status: 'cancelled' } },
            { kind: 'error', error: { message: 'y' } },
          ],
        },
      ],
    });
    store.apply(SESSION, { type: 'session/activeClientChanged', activeClient: null }, 'b');
    expect(store.session.activeClients).toEqual([]);
  });
});
