import { describe, expect, it } from 'vitest';
import {
  type ChannelKind,
  type Customization,
  type McpServerCustomization,
  reduce,
  type SessionState,
  type StateAction,
} from '../../src/index.js';
import { type Change, type Directory, dialectOf, reservedNumbers } from '../../src/versions/index.js';
import { mcpServer, plugin, sessionState } from '../support/samples.js';

const SESSION = 'ahp-session:/s';

function directoryOf(session: SessionState): Directory {
  return {
    defaultDirectory: 'file:///home',
    now: () => 0,
    resolve: (uri) => (uri === 'demo:/s' ? SESSION : uri),
    providerOf: (uri) => (uri === SESSION ? 'demo' : undefined),
    session: (uri) => (uri === SESSION ? session : undefined),
    chat: () => undefined,
    sessionOfChat: () => undefined,
  };
}

/** What a version is sent because of an action on a session. */
function sent(version: string | number, before: SessionState, action: StateAction) {
  const after = reduce('session', before, action as never, { now: () => 0 });
  const change: Change = {
    channel: SESSION,
    kind: 'session',
    action,
    before,
    after,
    session: { uri: SESSION, state: after },
  };
  return dialectOf(version)?.down?.change(change, directoryOf(after)) ?? [];
}

function sentOf(version: string | number, kind: ChannelKind, channel: string, action: StateAction) {
  return dialectOf(version)?.down?.change({ channel, kind, action }, directoryOf(sessionState())) ?? [];
}

function withCustomizations(...customizations: Customization[]): SessionState {
  return sessionState({ customizations });
}

describe('a terminal in version 1', () => {
  const claim = { kind: 'session', session: SESSION, chat: 'ahp-chat:/c' } as const;

  it('is named in its actions, and claimed by a session of that version', () => {
    expect(sentOf(1, 'terminal', 'ahp-terminal:/t', { type: 'terminal/data', data: 'x' })).toEqual([
      { channel: 'ahp-terminal:/t', action: { type: 'terminal/data', data: 'x', terminal: 'ahp-terminal:/t' } },
    ]);
    expect(sentOf(1, 'terminal', 'ahp-terminal:/t', { type: 'terminal/claimed', claim })).toMatchObject([
      { action: { claim: { kind: 'session', session: 'demo:/s' }, terminal: 'ahp-terminal:/t' } },
    ]);
    const lifecycle = { status: 'running' } as const;
    const terminals = [{ resource: 'ahp-terminal:/t', title: 't', claim, lifecycle }];
    expect(sentOf(1, 'root', 'ahp-root://', { type: 'root/terminalsChanged', terminals })).toMatchObject([
      { action: { terminals: [{ claim: { session: 'demo:/s' } }] } },
    ]);
  });

  it('is created and claimed with names of that version', () => {
    const up = dialectOf(1)?.up;
    const directory = directoryOf(sessionState({ defaultChat: 'ahp-chat:/c' }));
    const params = { terminal: 'ahp-terminal:/t', claim: { kind: 'session', session: 'demo:/s' } };
    expect(up?.request('createTerminal', params, directory)).toEqual({ channel: 'ahp-terminal:/t', claim });
    const action = { type: 'terminal/claimed', terminal: 'ahp-terminal:/t', claim: params.claim };
    expect(up?.channelOf({ clientSeq: 1, action })).toBe('ahp-terminal:/t');
    expect(up?.action({ channel: 'ahp-terminal:/t', action }, directory)).toEqual({
      kind: 'action',
      channel: 'ahp-terminal:/t',
      action: { type: 'terminal/claimed', claim },
    });
  });
});

describe('an MCP server before 0.3', () => {
  const resource = { resource: 'https://example.com', authorization_servers: [] };
  const asking: McpServerCustomization['state'] = { kind: 'authRequired', reason: 'insufficientScope', resource };
  const action: StateAction = { type: 'session/mcpServerStateChanged', id: 'm', state: asking };

  it('is a directory that is degraded, and asks for authentication by a notification', () => {
    const auth = { channel: SESSION, resource: 'https://example.com', reason: 'required' };
    expect(sent('0.2.0', withCustomizations(mcpServer('m')), action)).toMatchObject([
      {
        action: {
          type: 'session/customizationUpdated',
          customization: { type: 'directory', id: 'm', load: { kind: 'degraded' } },
        },
      },
      { method: 'auth/required', params: auth },
    ]);
    expect(sent(1, withCustomizations(mcpServer('m')), action)).toMatchObject([
      { action: { type: 'session/customizationsChanged', customizations: [{ status: 'degraded' }] } },
      { method: 'notification', params: { notification: { type: 'notify/authRequired', reason: 'required' } } },
    ]);
  });

  it('does not ask twice, and is as it is in 0.3', () => {
    const state = withCustomizations(mcpServer('m', { state: asking }));
    expect(sent('0.2.0', state, action)).toHaveLength(1);
    expect(sent('0.3.0', state, action)).toMatchObject([{ channel: SESSION, action }]);
  });
});

describe('customizations in version 1', () => {
  it('that share a URI are told apart, the same way every time', () => {
    const before = withCustomizations(plugin('a', { uri: 'file:///p' }), plugin('b', { uri: 'file:///p' }));
    const enablement = [{ kind: 'session', enabled: false } as const];
    const toggled: StateAction = { type: 'session/customizationToggled', id: 'b', enablement };
    expect(sent(1, before, toggled)).toMatchObject([
      { action: { uri: 'file:///p#b', enabled: false, session: 'demo:/s' } },
    ]);
    const up = dialectOf(1)?.up;
    const action = { type: 'session/customizationToggled', session: 'demo:/s', uri: 'file:///p#b', enabled: true };
    expect(up?.action({ channel: SESSION, action }, directoryOf(before))).toEqual({
      kind: 'action',
      channel: SESSION,
      action: { type: 'session/customizationToggled', id: 'b', enablement: [{ kind: 'session', enabled: true }] },
    });
  });
});

describe('a session that becomes ready in version 1', () => {
  it('keeps its flags, each with a number of its own', () => {
    const before = sessionState({ status: 1 + 32 + 64 });
    const actions = sent(1, before, { type: 'session/ready' });
    expect(actions.map((one) => ('action' in one ? one.action.type : one.method))).toEqual([
      'session/ready',
      'session/isReadChanged',
      'session/isArchivedChanged',
    ]);
    expect(actions.length).toBeLessThanOrEqual(reservedNumbers({ type: 'session/ready' }, before));
  });
});

describe('errors in version 1', () => {
  const down = dialectOf(1)?.down;

  it.each([
    [{ code: -32007, message: 'm', data: { resources: [1] } }, 'x', { code: -32007, message: 'm', data: [1] }],
    [{ code: -32009, message: 'm', data: { request: {} } }, 'x', { code: -32009, message: 'm' }],
    [{ code: -32011, message: 'm' }, 'x', { code: -32603, message: 'm' }],
    [{ code: -32008, message: 'm' }, 'subscribe', { code: -32001, message: 'm' }],
    [{ code: -32008, message: 'm' }, 'resourceRead', { code: -32008, message: 'm' }],
  ])('%j of %s is %j', (error, method, expected) => {
    expect(down?.error(error, method)).toEqual(expected);
  });
});

describe('requests', () => {
  const directory = directoryOf(sessionState());

  it.each(['0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.7.0', '0.9.0', '1.0.0'])(
    'of %s may leave out what can only be one thing',
    (version) => {
      const up = dialectOf(version)?.up;
      expect(up?.request('resourceList', { uri: '' }, directory)).toEqual({
        channel: 'ahp-root://',
        uri: 'file:///home',
      });
      const operation = { changeset: 'ahp-changeset:/x', operationId: 'o' };
      expect(up?.request('invokeChangesetOperation', operation, directory)).toMatchObject({
        channel: 'ahp-changeset:/x',
      });
      const both = { ...operation, channel: 'ahp-changeset:/y' };
      expect(() => up?.request('invokeChangesetOperation', both, directory)).toThrow(/params\/changeset/);
    },
  );

  it('of version 1 have nothing that came later', () => {
    const up = dialectOf(1)?.up;
    for (const method of ['resourceMkdir', 'createResourceWatch', 'completions', 'createChat', 'resourceRequest']) {
      expect(up?.request(method, {}, directory)).toBeUndefined();
    }
    const write = { uri: 'file:///a', data: '', encoding: 'utf-8', mode: 'append', position: 3, ifMatch: 'x' };
    expect(up?.request('resourceWrite', write, directory)).toEqual({
      channel: 'ahp-root://',
      uri: 'file:///a',
      data: '',
      encoding: 'utf-8',
    });
  });
});

describe('the catalogue of changesets in 0.2', () => {
  it('is told with the counts of changes, without what 0.2 does not know', () => {
    const entry = { label: 'All', uriTemplate: 'x', changeKind: 'session', capabilities: { review: {} }, files: 2 };
    const params = { channel: 'ahp-root://', session: SESSION, changes: { changes: { files: 2 } } };
    const directory = directoryOf(sessionState({ changesets: [entry] }));
    const notice = { method: 'root/sessionSummaryChanged', params };
    expect(dialectOf('0.2.0')?.down?.notification(notice, directory)).toEqual({
      method: 'root/sessionSummaryChanged',
      params: { ...params, changes: { changesets: [{ label: 'All', uriTemplate: 'x', files: 2 }] } },
    });
  });
});
