import { createTransportPair } from '@moorage/protocol';
import { describe, expect, it, vi } from 'vitest';
import { MAX_WAITING_CALLS } from '../src/connection/waiting-calls.js';
import { ConnectError, connect, RequestError, RpcError } from '../src/index.js';
import { FakeClock, settled } from './support/fake-clock.js';
import { fakeHost, Network, outcome, quiet, reconnect, rig } from './support/rig.js';
import { CHAT, ROOT, SESSION, sessionState, title } from './support/samples.js';

describe('connecting', () => {
  it('introduces itself and keeps what the host says', async () => {
    const host = fakeHost();
    host.onRequest = (method, params) => {
      if (method !== 'initialize') return undefined;
      expect(params).toEqual({
        channel: ROOT,
        clientId: 'me',
        clientInfo: { name: 'moorage-client' },
        protocolVersions: ['1.0.0', '0.9.0'],
        initialSubscriptions: [ROOT],
      });
      const telemetry = { logs: 'ahp-otlp:/logs' };
      return { protocolVersion: '0.9.0', serverSeq: 7, snapshots: [], defaultDirectory: 'file:///home', telemetry };
    };
    const { client } = await rig({ host });
    expect(client).toMatchObject({ clientId: 'me', protocolVersion: '0.9.0', serverSeq: 7, status: 'live' });
    expect(client.hostInfo).toMatchObject({ defaultDirectory: 'file:///home', telemetry: { logs: 'ahp-otlp:/logs' } });
  });

  it('says which program it is', async () => {
    const { host } = await rig({ clientInfo: { name: 'moorage-test', version: '3' } });
    expect(host.heard[0]?.params.clientInfo).toEqual({ name: 'moorage-test', version: '3' });
  });

  it('makes itself a name', async () => {
    const one = await rig({ clientId: undefined });
    const two = await rig({ clientId: undefined });
    expect(one.client.clientId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(one.client.clientId).not.toBe(two.client.clientId);
  });

  it('subscribes in the same round trip, each kind as its URI or the caller says', async () => {
    const host = fakeHost();
    host.add('copilot:/x', 'session', sessionState());
    const { client } = await rig({
      host,
      initialSubscriptions: [SESSION, { uri: 'copilot:/x', kind: 'session' }, 'ahp-chat:/none'],
    });
    expect((await client.session(SESSION)).confirmed.title).toBe('A session');
    expect((await client.session('copilot:/x')).status).toBe('live');
    expect(host.heard.map(({ method }) => method)).toEqual(['initialize']);
    await expect(client.chat('ahp-chat:/none')).rejects.toMatchObject({ code: -32008 });
    await expect(rig({ initialSubscriptions: ['what:/ever'] })).rejects.toThrow('what kind');
  });

  const failures: [string, (method: string) => unknown, object][] = [
    ['an error', () => Promise.reject(new RpcError(-32603, 'no')), { kind: 'handshake' }],
    ['no common version', () => Promise.reject(new RpcError(-32005, 'no')), { kind: 'refused' }],
    ['nonsense', () => ({ hello: 1 }), { kind: 'handshake' }],
    [
      'a version that was not offered',
      () => ({ protocolVersion: '9.0.0', serverSeq: 1, snapshots: [] }),
      { kind: 'handshake' },
    ],
  ];
  it.each(failures)('fails when the host answers with %s', async (_, onRequest, expected) => {
    const host = fakeHost();
    host.onRequest = onRequest;
    const clock = new FakeClock();
    const network = new Network(host);
    const attempt = connect({ transport: network.open, clock });
    await expect(attempt).rejects.toMatchObject({ name: 'ConnectError', ...expected });
    await expect(attempt).rejects.toHaveProperty('cause');
    await settled();
    expect([network.attempts, clock.armed, host.connections.size]).toEqual([1, 0, 0]);
  });

  it('fails when there is no transport, or it goes before the handshake', async () => {
    const clock = new FakeClock();
    const down = connect({ clock, transport: () => Promise.reject(new Error('down')) });
    await expect(down).rejects.toMatchObject({ kind: 'unreachable', cause: { message: 'down' } });
    const refused = new ConnectError('refused', 'HTTP 403', { status: 403 });
    await expect(connect({ clock, transport: () => Promise.reject(refused) })).rejects.toBe(refused);
    const [mine, theirs] = createTransportPair();
    const lost = connect({ clock, transport: () => mine });
    await settled();
    theirs.close();
    await expect(lost).rejects.toMatchObject({ kind: 'handshake' });
    expect(clock.armed).toBe(0);
  });
});

describe('a request', () => {
  it('gets the root channel where there is no other, and a checked result', async () => {
    const { client, host } = await rig();
    host.onRequest = (method) => (method === 'listSessions' ? { items: [] } : undefined);
    await expect(client.request('listSessions')).resolves.toEqual({ items: [] });
    expect(host.heard.at(-1)?.params).toEqual({ channel: ROOT });
    host.onRequest = (method, { channel }) =>
      method === 'disposeChat' && channel === CHAT ? Promise.resolve(null) : undefined;
    await expect(client.request('disposeChat', { channel: CHAT })).resolves.toBeNull();
  });

  it('rejects with the host’s error', async () => {
    const { client } = await rig();
    await expect(client.request('listSessions')).rejects.toMatchObject({ name: 'RpcError', code: -32601 });
  });

  it('rejects a result that is none', async () => {
    const { client, host } = await rig();
    host.onRequest = (method) => (method === 'listSessions' ? { items: 7 } : undefined);
    const failed = client.request('listSessions');
    await expect(failed).rejects.toBeInstanceOf(RequestError);
    await expect(failed).rejects.toMatchObject({ kind: 'invalid', method: 'listSessions' });
  });

  it('rejects when the connection goes, and is not repeated', async () => {
    const r = await rig();
    r.host.onRequest = (method) => (method === 'listSessions' ? new Promise(() => {}) : undefined);
    const result = outcome(r.client.request('listSessions'));
    await settled();
    await reconnect(r);
    expect(result.error).toMatchObject({ kind: 'lost', method: 'listSessions' });
    expect(r.host.heard.filter(({ method }) => method === 'listSessions')).toHaveLength(1);
  });

  it('waits for the connection, in order with dispatches', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    await r.network.drop();
    r.host.onRequest = (method) => (method === 'listSessions' ? { items: [] } : undefined);
    const results = [
      outcome(r.client.request('listSessions')),
      outcome(session.dispatch(title('x'))),
      outcome(r.client.request('ping')),
    ];
    await settled();
    expect(results.map(({ state }) => state)).toEqual(['open', 'open', 'open']);
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(results.map(({ state }) => state)).toEqual(['kept', 'kept', 'kept']);
    const methods = r.host.heard.map(({ method }) => method);
    expect(methods.slice(-4)).toEqual(['reconnect', 'listSessions', 'dispatchAction', 'ping']);
  });

  it('has one time limit for waiting and for the answer', async () => {
    const r = await rig({ requestTimeoutMs: 10_000, reconnect: { minDelayMs: 8_000 } });
    r.host.onRequest = (method) => (method === 'listSessions' ? new Promise(() => {}) : undefined);
    await r.network.drop();
    const result = outcome(r.client.request('listSessions'));
    r.clock.advance(4_000); // half of the delay: no jitter here
    await quiet(r);
    expect(r.client.status).toBe('live');
    r.clock.advance(5_999);
    await settled();
    expect(result.state).toBe('open');
    r.clock.advance(1);
    await settled();
    expect(result.error).toMatchObject({ kind: 'timeout' });
  });

  it('times out without a connection and without an answer', async () => {
    const r = await rig({ requestTimeoutMs: 1000 });
    r.host.onRequest = (method) => (method === 'listSessions' ? new Promise(() => {}) : undefined);
    const live = outcome(r.client.request('listSessions'));
    const patient = outcome(r.client.request('listSessions', {}, { timeoutMs: false }));
    r.clock.advance(1000);
    await settled();
    expect([live.error, patient.state]).toMatchObject([{ kind: 'timeout' }, 'open']);
    r.network.failure = new Error('down');
    await r.network.drop();
    const waiting = outcome(r.client.request('listSessions'));
    r.clock.advance(1000);
    await settled();
    expect(waiting.error).toMatchObject({ kind: 'timeout' });
  });

  it('is refused when too many wait', async () => {
    const r = await rig();
    r.network.failure = new Error('down');
    await r.network.drop();
    const results = Array.from({ length: MAX_WAITING_CALLS + 1 }, () => outcome(r.client.request('ping')));
    await settled();
    expect(results.at(-1)?.error).toMatchObject({ kind: 'overflow' });
    expect(results.at(-2)?.state).toBe('open');
    r.client.close();
    await settled();
    expect(results[0]?.error).toMatchObject({ kind: 'closed' });
  });
});

describe('notifications', () => {
  it('come to their listeners, checked', async () => {
    const r = await rig();
    const removed = vi.fn();
    const stop = r.client.on('root/sessionRemoved', removed);
    r.host.notify('root/sessionRemoved', { channel: ROOT, session: 'ahp-session:/x' });
    r.host.notify('root/sessionRemoved', { channel: ROOT });
    await quiet(r);
    stop();
    r.host.notify('root/sessionRemoved', { channel: ROOT, session: 'ahp-session:/y' });
    await quiet(r);
    expect(removed.mock.calls).toEqual([[{ channel: ROOT, session: 'ahp-session:/x' }]]);
    expect(r.errors).toMatchObject([{ name: 'ProtocolError' }]);
  });

  it('show what was cleared as undefined (OQ-25)', async () => {
    const r = await rig();
    const changed = vi.fn();
    r.client.on('root/sessionSummaryChanged', changed);
    r.host.notify('root/sessionSummaryChanged', {
      channel: ROOT,
      session: SESSION,
      changes: { activity: null, title: 'x' },
    });
    await quiet(r);
    expect(changed.mock.calls[0]?.[0].changes).toStrictEqual({ activity: undefined, title: 'x' });
  });

  it('of an unknown method are ignored', async () => {
    const r = await rig();
    r.host.notify('root/later', { channel: ROOT });
    r.host.notify('dispatchAction', { channel: ROOT });
    await quiet(r);
    expect(r.errors).toEqual([]);
  });

  it('show every envelope, also rejections of dispatches without a mirror (OQ-21)', async () => {
    const r = await rig();
    const seen = vi.fn();
    r.client.on('action', seen);
    r.host.decide = () => ({ reject: 'no' });
    await r.client.dispatch(SESSION, title('x'));
    await quiet(r);
    expect(seen.mock.calls).toMatchObject([[{ channel: SESSION, rejectionReason: 'no' }]]);
  });
});

describe('what the host asks', () => {
  async function ask(r: Awaited<ReturnType<typeof rig>>, method: string, params: object) {
    const [connection] = r.host.connections;
    return connection?.peer.request(method, params);
  }

  it('is answered by the handler, which may fail', async () => {
    const r = await rig();
    const stop = r.client.handle('resourceRead', async ({ uri }) => {
      if (uri === 'file:///secret') throw new RpcError(-32009, 'no');
      if (uri === 'file:///bug') throw new Error('bug');
      return { data: 'text', encoding: 'utf-8' as const };
    });
    expect(() => r.client.handle('resourceRead', () => ({ data: '', encoding: 'utf-8' as const }))).toThrow('already');
    const read = (uri: string) => ask(r, 'resourceRead', { channel: ROOT, uri });
    await expect(read('file:///a')).resolves.toEqual({ data: 'text', encoding: 'utf-8' });
    await expect(read('file:///secret')).rejects.toMatchObject({ code: -32009 });
    await expect(read('file:///bug')).rejects.toMatchObject({ code: -32603, message: 'internal error' });
    expect(r.errors).toMatchObject([{ message: 'bug' }]);
    await expect(ask(r, 'resourceRead', { channel: ROOT })).rejects.toMatchObject({ code: -32602 });
    stop();
    await expect(read('file:///a')).rejects.toMatchObject({ code: -32601 });
  });

  it('is refused without a handler', async () => {
    const r = await rig();
    await expect(ask(r, 'resourceList', { channel: ROOT, uri: 'file:///' })).rejects.toMatchObject({ code: -32601 });
    await expect(ask(r, 'shutdown', {})).rejects.toMatchObject({ code: -32601 });
  });
});

describe('stateless channels', () => {
  const LOGS = 'ahp-otlp:/logs';

  it('carry notifications and requests as they are', async () => {
    const r = await rig();
    const mcp = await r.client.subscribeStateless('mcp://server/1');
    const heard = vi.fn();
    mcp.onNotification(heard);
    r.host.notify('notifications/tools/list_changed', { channel: 'mcp://server/1' });
    r.host.notify('notifications/tools/list_changed', { channel: 'mcp://server/2' });
    r.host.onRequest = (method, params) => (method === 'tools/list' ? { tools: [], for: params.channel } : undefined);
    await expect(mcp.request('tools/list')).resolves.toEqual({ tools: [], for: 'mcp://server/1' });
    mcp.notify('notifications/message', { level: 'info' });
    await quiet(r);
    expect(heard.mock.calls).toEqual([['notifications/tools/list_changed', { channel: 'mcp://server/1' }]]);
    expect(r.host.heard.at(-1)).toMatchObject({ params: { level: 'info', channel: 'mcp://server/1' } });
    expect(mcp.status).toBe('live');
  });

  it('are shared, and released with the last holder', async () => {
    const r = await rig();
    const [one, two] = await Promise.all([r.client.subscribeStateless(LOGS), r.client.subscribeStateless(LOGS)]);
    one.release();
    one.release();
    await settled();
    expect([one.status, two.status]).toEqual(['gone', 'live']);
    two.release();
    await settled();
    const methods = r.host.heard.map(({ method }) => method);
    expect(methods).toEqual(['initialize', 'subscribe', 'unsubscribe']);
  });

  it('are subscribed again after a reconnect, and not listed in it (B-81)', async () => {
    const r = await rig({ initialSubscriptions: [ROOT, 'ahp-otlp:/traces'] });
    const logs = await r.client.subscribeStateless(LOGS);
    const traces = await r.client.subscribeStateless('ahp-otlp:/traces');
    const statuses: string[] = [];
    logs.onStatus((status) => statuses.push(status));
    await reconnect(r);
    expect(statuses).toEqual(['stale', 'live']);
    expect(traces.status).toBe('live');
    const { heard } = r.host;
    expect(heard.find(({ method }) => method === 'reconnect')?.params.subscriptions).toEqual([ROOT]);
    r.host.onRequest = (method) => (method === 'subscribe' ? Promise.reject(new RpcError(-32008, 'gone')) : undefined);
    await reconnect(r);
    expect([logs.status, traces.status]).toEqual(['gone', 'gone']);
    await expect(r.client.subscribeStateless(LOGS)).rejects.toMatchObject({ code: -32008 });
  });
});

describe('closing', () => {
  it('rejects what is open, keeps states, and leaves no timer (I-5, I-7)', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const statuses: unknown[] = [];
    r.client.onStatus((...args) => statuses.push(args));
    r.host.decide = () => 'ignore';
    r.host.onRequest = (method) => (method === 'listSessions' ? new Promise(() => {}) : undefined);
    const request = outcome(r.client.request('listSessions'));
    const dispatch = outcome(session.dispatch(title('x')));
    await settled();
    r.client.close();
    r.client.close();
    await quiet(r);
    expect(request.error).toMatchObject({ kind: 'closed' });
    expect(dispatch.error).toMatchObject({ kind: 'closed', sent: true });
    expect(statuses).toEqual([['closed', undefined]]);
    expect(session).toMatchObject({ status: 'gone', confirmed: { title: 'A session' }, pendingCount: 0 });
    expect([r.clock.armed, r.host.connections.size, r.client.status]).toEqual([0, 0, 'closed']);
    await expect(r.client.request('ping')).rejects.toMatchObject({ kind: 'closed' });
    await expect(r.client.dispatch(SESSION, title('x'))).rejects.toMatchObject({ kind: 'closed', sent: false });
  });

  it('works while reconnecting', async () => {
    const r = await rig();
    await r.network.drop();
    r.client.close();
    r.clock.advance(1_000_000);
    await quiet(r);
    expect([r.network.attempts, r.clock.armed, r.client.status]).toEqual([1, 0, 'closed']);
  });
});
