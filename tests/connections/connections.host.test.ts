import { CloseCodes, type InitializeParams, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../support/manual-clock.js';
import { RawSocket } from '../support/raw-socket.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start();
});
afterEach(() => host.dispose());

const PING = { jsonrpc: '2.0', id: 1, method: 'ping', params: { channel: ROOT_URI } };

describe('a frame that is no message', () => {
  it.each([
    ['not JSON', '{"jsonrpc"', -32700, null],
    ['a batch', JSON.stringify([PING, PING]), -32600, null],
    ['a string', '"hello"', -32600, null],
    ['a number', '7', -32600, null],
    ['null', 'null', -32600, null],
    ['without a version', '{"id":5,"method":"ping"}', -32600, 5],
    ['without a method', '{"jsonrpc":"2.0","id":6}', -32600, 6],
    ['with an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['with a number as params', '{"jsonrpc":"2.0","id":7,"method":"ping","params":1}', -32600, 7],
    ['nested too deep', '['.repeat(500) + ']'.repeat(500), -32600, null],
  ])('%s is answered, and the connection survives (OQ-103)', async (_what, frame, code, id) => {
    const socket = await RawSocket.open(host.url, host.token);
    socket.send(frame);
    expect(await socket.next()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    socket.send({ ...PING, id: 'a string is an id too' });
    expect(await socket.next()).toEqual({ jsonrpc: '2.0', id: 'a string is an id too', result: null });
    await socket.close();
  });

  it('gets no answer when it is a response to nothing or an unknown notification (OQ-103, B-338, V-37)', async () => {
    const socket = await RawSocket.open(host.url, host.token);
    socket.send({ jsonrpc: '2.0', id: 99, result: {} });
    socket.send({ jsonrpc: '2.0', id: 99, error: { code: 1, message: 'x' } });
    socket.send({ jsonrpc: '2.0', method: 'noSuchNotification', params: { channel: ROOT_URI } });
    socket.send(PING);
    expect(await socket.next()).toEqual({ jsonrpc: '2.0', id: 1, result: null });
    await socket.close();
  });
});

describe('a dispatch that cannot be read', () => {
  it.each([
    ['without parameters', undefined],
    ['without an action', { channel: ROOT_URI, clientSeq: 1 }],
    ['with an action without a type', { channel: ROOT_URI, clientSeq: 1, action: {} }],
    ['without a clientSeq', { channel: ROOT_URI, action: { type: 'root/configChanged', config: {} } }],
    ['with a text as clientSeq', { channel: ROOT_URI, clientSeq: '1', action: { type: 'root/configChanged' } }],
    ['with an array as parameters', [1, 2]],
  ])('%s is ignored, and the connection survives', async (_what, params) => {
    const client = await host.client();
    client.peer.notify('dispatchAction', params);
    await client.sync();
    expect(client.envelopes).toEqual([]);
  });
});

describe('a second connection with the same client id', () => {
  it('takes over: the first is closed with 4001 and gets nothing more (OQ-10)', async () => {
    const first = await host.client({ clientId: 'alice' });
    const { session } = await host.session(first);
    const second = await host.client({ clientId: 'alice' });
    expect(await first.closed).toMatchObject({ code: 4001 });
    const heard = first.envelopes.length;
    second.dispatch(session, { type: 'session/titleChanged', title: 'New' });
    await second.sync();
    expect(first.envelopes).toHaveLength(heard);
    expect(second.envelopes).toEqual([]); // the subscriptions of the first ended with it
    expect(await second.subscribe<SessionState>(session)).toMatchObject({ title: 'New' });
  });

  it('keeps the role of the active client (OQ-10, B-135)', async () => {
    const first = await host.client({ clientId: 'alice' });
    const bob = await host.client();
    const { session } = await host.session(first);
    await bob.subscribe(session);
    await first.act(session, { type: 'session/activeClientSet', activeClient: { clientId: 'alice', tools: [] } });
    const second = await host.client({ clientId: 'alice' });
    await first.closed;
    const { activeClients } = await second.subscribe<SessionState>(session);
    expect(activeClients).toMatchObject([{ clientId: 'alice' }]);
  });
});

describe('connections that never shake hands', () => {
  it('make room for newer ones, and take the place of no client', async () => {
    const client = await host.client();
    const silent: WireClient[] = [];
    for (let count = 0; count < 129; count++) silent.push(await host.rawClient());
    expect((await silent[0]?.closed)?.code).toBe(CloseCodes.TryAgainLater);
    await silent[1]?.sync();
    await client.sync();
    await silent[128]?.request('initialize', { channel: ROOT_URI, clientId: 'last', protocolVersions: ['1.0.0'] });
    const next = await host.client();
    await next.sync();
  });

  it('are closed after a minute', async () => {
    const clock = new ManualClock();
    const patient = await TestHost.start({ clock });
    const client = await patient.client();
    const silent = await patient.rawClient();
    await silent.sync(); // a ping is no handshake
    clock.advance(60_000);
    expect((await silent.closed).code).toBe(CloseCodes.PolicyViolation);
    await client.sync();
    await patient.dispose();
  });
});

describe('a client id', () => {
  it('belongs to the credential that used it first, also after a restart', async () => {
    const mine = await host.client({ clientId: 'alice' });
    for (const round of ['before', 'after']) {
      const stranger = await host.rawClient({ clientId: 'alice', token: host.otherToken });
      const initialize: InitializeParams = { channel: ROOT_URI, clientId: 'alice', protocolVersions: ['1.0.0'] };
      expect([round, await stranger.refused('initialize', initialize)]).toMatchObject([round, { code: -32600 }]);
      const reconnect = { channel: ROOT_URI, clientId: 'alice', lastSeenServerSeq: 0, subscriptions: [] };
      expect([round, await stranger.refused('reconnect', reconnect)]).toMatchObject([round, { code: -32600 }]);
      await stranger.request('initialize', { ...initialize, clientId: `bob-${round}` });
      if (round === 'before') await mine.sync(); // it was not thrown out
      await host.restart();
    }
  });
});

describe('the host stops', () => {
  it('and says so to its clients', async () => {
    const client = await host.client();
    await host.stop();
    expect((await client.closed).code).toBe(1001);
    await host.start();
  });
});
