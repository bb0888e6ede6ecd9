import { type InitializeParams, ROOT_URI, type RootState, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestHost } from '../support/test-host.js';

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start();
});
afterEach(() => host.dispose());

const INITIALIZE: InitializeParams = { channel: ROOT_URI, clientId: 'alice', protocolVersions: ['1.0.0'] };

describe('initialize', () => {
  it.each([
    [['1.0.0'], '1.0.0'],
    [['0.9.0', '1.4.0', '1.0.0'], '1.4.0'], // the highest of those that promise to understand each other
    [['0.7.0', '0.9.3'], '0.9.3'],
    [['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1'], '0.9.0'], // VS Code 1.139 (V-40)
    [['1.0.0', '0.9.0', '0.8.0', '0.7.0'], '0.9.0'], // the 1.0.0 of August is another wire (V-53)
    [['1.0.0', '0.8.0', '0.7.0'], '0.7.0'],
    [['0.5.2'], '0.5.2'],
    [['0.4.7'], '0.4.7'],
    [['9.9.9', '0.4.2', '0.4.0'], '0.4.2'],
    [['0.4.0', '0.5.0'], '0.4.0'],
  ])('takes from %j what it speaks best (B-21, OQ-6, OQ-7)', async (protocolVersions, expected) => {
    const client = await host.rawClient();
    const result = await client.request('initialize', { ...INITIALIZE, protocolVersions });
    expect(result.protocolVersion).toBe(expected);
    expect(result.snapshots).toEqual([]);
    expect(result.defaultDirectory).toBe(host.workspaceUri);
  });

  it.each([[['0.8.0']], [['2.0.0', '0.0.1']], [[]]])(
    'refuses %j with the versions it speaks, and closes (B-22)',
    async (protocolVersions) => {
      const client = await host.rawClient();
      const error = await client.refused('initialize', { ...INITIALIZE, protocolVersions });
      const supportedVersions = expect.arrayContaining(['^1.0.0', '~0.9.0', '~0.4.0']);
      expect(error).toMatchObject({ code: -32005, data: { supportedVersions } });
      expect((await client.closed).code).toBe(4002);
    },
  );

  it('is refused a second time, and the connection goes on as before (B-23, OQ-9)', async () => {
    const client = await host.client();
    for (const protocolVersions of [['1.0.0'], ['9.9.9']]) {
      expect(await client.refused('initialize', { ...INITIALIZE, protocolVersions })).toMatchObject({ code: -32600 });
    }
    const reconnect = { channel: ROOT_URI, clientId: client.clientId, lastSeenServerSeq: 0, subscriptions: [] };
    expect(await client.refused('reconnect', reconnect)).toMatchObject({ code: -32600 });
    await client.sync();
  });

  it('needs a client id that is neither empty nor endless', async () => {
    const client = await host.rawClient();
    for (const clientId of ['', 'x'.repeat(257)]) {
      const error = await client.refused('initialize', { ...INITIALIZE, clientId });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('params/clientId') });
    }
    await client.request('initialize', { ...INITIALIZE, clientId: 'x'.repeat(256) });
  });

  it('subscribes to what it is given and leaves out what is unknown (B-33, OQ-11)', async () => {
    const alice = await host.client();
    const { session, chat } = await host.session(alice);
    const bob = await host.rawClient();
    const initialSubscriptions = [ROOT_URI, session, chat, chat, host.newSessionUri(), 'nonsense', 'ahp-otlp:/logs'];
    const { snapshots, serverSeq } = await bob.request('initialize', { ...INITIALIZE, initialSubscriptions });
    expect(snapshots.map((snapshot) => snapshot.resource)).toEqual([ROOT_URI, session, chat]);
    expect(snapshots.map((snapshot) => snapshot.fromSeq)).toEqual([serverSeq, serverSeq, serverSeq]);
    const [root, state] = snapshots.map((snapshot) => snapshot.state) as [RootState, SessionState];
    expect(root.agents.map((agent) => agent.provider)).toEqual(['demo']);
    expect(root.activeSessions).toBe(1);
    expect(state.defaultChat).toBe(chat);
    const echo = await alice.act(session, { type: 'session/titleChanged', title: 'Seen by both' });
    expect(await bob.envelope((envelope) => envelope.channel === session)).toEqual(echo);
  });
});

describe('before the handshake', () => {
  it('only ping is answered (B-9, OQ-9, V-5)', async () => {
    const client = await host.rawClient();
    expect(await client.request('ping', { channel: ROOT_URI })).toBeNull();
    for (const method of ['listSessions', 'subscribe', 'createSession', 'noSuchMethod']) {
      expect(await client.refused(method, { channel: ROOT_URI })).toMatchObject({ code: -32600 });
    }
    await client.request('initialize', INITIALIZE);
  });

  it('notifications are ignored (OQ-9)', async () => {
    const alice = await host.client();
    const { session } = await host.session(alice);
    const early = await host.rawClient();
    early.dispatch(session, { type: 'session/titleChanged', title: 'Too early' });
    early.peer.notify('unsubscribe', { channel: session });
    await early.sync();
    await alice.sync();
    expect(early.envelopes).toEqual([]);
    expect(alice.actionsOn(session).map((action) => action.type)).not.toContain('session/titleChanged');
  });
});

describe('a request', () => {
  it('of an unknown or unserved method, also an extension of VS Code, is refused (B-13, B-338, V-37)', async () => {
    const client = await host.client();
    const extensions = ['shutdown', 'getNetworkDiagnosticsInfo', 'vscode/anything'];
    for (const method of ['noSuchMethod', 'createTerminals', 'toString', '__proto__', ...extensions]) {
      expect(await client.refused(method, { channel: ROOT_URI })).toMatchObject({
        code: -32601,
        message: expect.stringContaining(method),
      });
    }
  });

  it.each([
    ['initialize', { channel: ROOT_URI, clientId: 7, protocolVersions: ['1.0.0'] }, 'params/clientId'],
    ['initialize', { channel: ROOT_URI, clientId: 'x' }, 'params/protocolVersions'],
    ['ping', { channel: 7 }, 'params/channel'],
    ['reconnect', { channel: ROOT_URI, clientId: 'x', lastSeenServerSeq: 'y', subscriptions: [] }, 'lastSeenServerSeq'],
  ])('%s with bad parameters says where they are wrong', async (method, params, path) => {
    const client = await host.rawClient();
    const error = await client.refused(method, params);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(path) });
    await client.sync();
  });

  it.each(['ping', 'initialize', 'reconnect', 'listSessions', 'resourceRead'])(
    '%s on another channel than root is refused (OQ-16)',
    async (method) => {
      const client = ['initialize', 'reconnect'].includes(method) ? await host.rawClient() : await host.client();
      const params = { ...INITIALIZE, lastSeenServerSeq: 0, subscriptions: [], uri: 'ahp-content:/x' };
      const error = await client.refused(method, { ...params, channel: 'ahp-session:/x' });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('params/channel') });
    },
  );

  it('of one channel kind on a URI of another is refused (OQ-16)', async () => {
    const client = await host.client();
    const { session, chat } = await host.session(client);
    for (const [method, params] of [
      ['disposeSession', { channel: chat }],
      ['createChat', { channel: chat, chat: host.newChatUri() }],
      ['createSession', { channel: chat }],
      ['disposeChat', { channel: session }],
      ['fetchTurns', { channel: 'ahp-terminal:/x' }],
    ] as const) {
      expect([method, await client.refused(method, params)]).toMatchObject([method, { code: -32602 }]);
    }
  });
});
