import {
  AhpErrorCodes,
  CloseCodes,
  createTransportPair,
  DEFAULT_LIMITS,
  RpcError,
  type Transport,
} from '@moorage/protocol';
import { describe, expect, it, vi } from 'vitest';
import { PING_INTERVAL_MS } from '../src/connection/liveness.js';
import { OPEN_TIMEOUT_MS } from '../src/connection/open-transport.js';
import { ConnectError, connect, NotDeliveredError } from '../src/index.js';
import { FakeClock, settled } from './support/fake-clock.js';
import { fakeHost, Network, outcome, quiet, reconnect, rig } from './support/rig.js';
import { CHAT, delta, ROOT, SESSION, TERMINAL, title } from './support/samples.js';

describe('after a lost connection', () => {
  it('resumes with what was seen and what is subscribed, and applies the replay', async () => {
    const r = await rig();
    const chat = await r.client.chat(CHAT);
    r.host.emit(CHAT, delta('a'));
    await quiet(r);
    const seen = r.client.serverSeq;
    await r.network.drop();
    expect([r.client.status, chat.status]).toEqual(['reconnecting', 'stale']);
    r.host.emit(CHAT, delta('b'));
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(r.host.heard.at(-1)).toMatchObject({
      method: 'reconnect',
      params: { channel: ROOT, clientId: 'me', lastSeenServerSeq: seen, subscriptions: [ROOT, CHAT] },
    });
    expect([r.client.status, chat.status]).toEqual(['live', 'live']);
    expect(chat.confirmed).toEqual(r.host.state(CHAT));
    r.host.emit(CHAT, delta('c'));
    await quiet(r);
    expect(chat.confirmed.activeTurn?.responseParts).toMatchObject([{ content: 'abc' }]);
  });

  it('tells status listeners, mirrors and raw listeners', async () => {
    const r = await rig();
    const chat = await r.client.chat(CHAT);
    const statuses: unknown[] = [];
    const mirrorStatuses: string[] = [];
    const actions: unknown[] = [];
    r.client.onStatus((status, error) => statuses.push([status, error?.message]));
    chat.subscribe((mirror) => mirrorStatuses.push(mirror.status));
    chat.onAction(({ action }) => actions.push(action));
    await r.network.drop();
    r.clock.turn();
    r.host.emit(CHAT, delta('missed'));
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(statuses).toEqual([
      ['reconnecting', 'transport closed'],
      ['live', undefined],
    ]);
    expect(mirrorStatuses).toEqual(['stale', 'live']);
    expect(actions).toEqual([delta('missed')]);
  });

  it('replaces states by snapshots when the host has no replay', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    await r.network.drop();
    r.host.emit(SESSION, title('Missed'));
    r.host.resumeWith = 'snapshot';
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(session.confirmed).toEqual(r.host.state(SESSION));
    r.host.emit(SESSION, title('Next'));
    await quiet(r);
    expect(session.confirmed.title).toBe('Next');
  });

  it.each(['replay', 'snapshot', 'error'] as const)('ends what the host no longer has (%s)', async (resumeWith) => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const chat = await r.client.chat(CHAT);
    const listener = vi.fn();
    chat.subscribe(listener);
    await r.network.drop();
    r.clock.turn();
    r.host.remove(CHAT);
    r.host.resumeWith = resumeWith;
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect([session.status, chat.status]).toEqual(['live', 'gone']);
    expect(listener).toHaveBeenCalledTimes(2);
    await expect(r.client.chat(CHAT)).rejects.toMatchObject({ code: -32008 });
  });

  it('initializes anew under the same name when the host will not resume', async () => {
    const r = await rig({ locale: 'de', capabilities: { mcpApps: {} } });
    const session = await r.client.session(SESSION);
    await r.network.drop();
    r.host.emit(SESSION, title('Missed'));
    r.host.resumeWith = 'error';
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(r.host.heard.at(-1)).toMatchObject({
      method: 'initialize',
      params: { clientId: 'me', initialSubscriptions: [ROOT, SESSION], locale: 'de', capabilities: { mcpApps: {} } },
    });
    expect(session.confirmed).toEqual(r.host.state(SESSION));
    expect(r.client.status).toBe('live');
  });

  it('initializes on the next connection when the host hung up on the failed resume', async () => {
    const r = await rig();
    r.host.onRequest = (method) => {
      if (method !== 'initialize') return undefined;
      void r.network.drop();
      return new Promise(() => {});
    };
    r.host.resumeWith = 'error';
    await reconnect(r);
    expect(r.client.status).toBe('reconnecting');
    r.host.onRequest = () => undefined;
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(r.client.status).toBe('live');
    expect(r.host.heard.map(({ method }) => method)).toEqual(['initialize', 'reconnect', 'initialize', 'initialize']);
  });

  it('stays away when a newer connection takes over before the host has answered', async () => {
    const r = await rig();
    await r.network.drop();
    r.host.onRequest = (method) => (method === 'reconnect' ? new Promise(() => {}) : undefined);
    r.clock.advance(r.clock.nextIn ?? 0);
    await settled();
    await r.network.drop(CloseCodes.Replaced);
    expect([r.client.status, r.clock.nextIn, r.network.attempts]).toEqual(['closed', undefined, 2]);
  });

  it('initializes when the host would rather agree on a version again', async () => {
    const r = await rig();
    r.host.onRequest = (method) => {
      if (method !== 'reconnect') return undefined;
      return Promise.reject(new RpcError(AhpErrorCodes.UnsupportedProtocolVersion, 'not any more'));
    };
    await reconnect(r);
    expect(r.client.status).toBe('live');
    expect(r.host.heard.map(({ method }) => method)).toEqual(['initialize', 'reconnect', 'initialize']);
  });

  it('comes back although a watch of the program’s own does not let itself be stopped', async () => {
    const r = await rig();
    r.client.serveWatches(() => () => {
      throw new Error('no');
    });
    const [host] = r.host.connections;
    await host?.peer.request('createResourceWatch', { channel: ROOT, uri: 'file:///x' });
    await reconnect(r);
    expect([r.client.status, r.errors]).toMatchObject(['live', [{ message: 'no' }]]);
  });

  it('takes an unreadable answer for a refusal to resume', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.onRequest = (method) =>
      method === 'reconnect' ? { type: 'replay', actions: [{}], missing: [] } : undefined;
    await reconnect(r);
    expect(r.host.heard.at(-1)).toMatchObject({ method: 'initialize' });
    r.host.onRequest = (method) => (method === 'reconnect' ? { type: 'later' } : undefined);
    await reconnect(r);
    expect(r.host.heard.at(-1)).toMatchObject({ method: 'initialize' });
    expect(session.status).toBe('live');
  });

  it('fetches a channel alone whose snapshot is bad', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const chat = await r.client.chat(CHAT);
    const good = { resource: CHAT, state: r.host.state(CHAT), fromSeq: r.host.serverSeq };
    r.host.onRequest = (method) =>
      method === 'reconnect' ? { type: 'snapshot', snapshots: [good, { resource: SESSION, state: {} }] } : undefined;
    await reconnect(r);
    expect(r.errors).toMatchObject([{ name: 'ProtocolError' }]);
    expect([session.status, chat.status]).toEqual(['live', 'live']);
    expect(r.host.heard.at(-1)).toMatchObject({ method: 'subscribe', params: { channel: SESSION } });
  });

  it('fetches at once, and does not resume, a channel whose state could not be trusted', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.onRequest = (method) => (method === 'subscribe' ? new Promise(() => {}) : undefined);
    r.host.emitDamaged(SESSION, title('Unseen'), 'me', { action: 1 });
    await settled();
    r.host.onRequest = () => undefined;
    await reconnect(r);
    expect(r.host.heard.slice(-2)).toMatchObject([
      { method: 'reconnect', params: { subscriptions: [ROOT] } },
      { method: 'subscribe', params: { channel: SESSION } },
    ]);
    expect([session.status, session.confirmed.title]).toEqual(['live', 'Unseen']);
  });

  it('follows a host that forgot, to lower numbers', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    for (let i = 0; i < 5; i++) r.host.emit(SESSION, title(`${i}`));
    await quiet(r);
    await r.network.drop();
    r.host.rollBack(1);
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(session.confirmed.title).toBe('A session');
    expect(r.client.serverSeq).toBe(1);
    r.host.emit(SESSION, title('New life'));
    await quiet(r);
    expect(session.confirmed.title).toBe('New life');
  });
});

describe('pending actions after a lost connection (OQ-23)', () => {
  it('are confirmed by the replay when the host had them', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const result = outcome(session.dispatch(title('Mine')));
    r.host.lazy = true; // accepted, but the echo never leaves
    await settled();
    await r.network.drop();
    r.host.lazy = false;
    expect([result.state, session.optimistic.title]).toEqual(['open', 'Mine']);
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(result).toMatchObject({ state: 'kept', value: { origin: { clientSeq: 1 } } });
    expect(session.confirmed.title).toBe('Mine');
  });

  it.each([
    ['replay', 'dropped'],
    ['snapshot', 'replaced'],
    ['error', 'replaced'],
  ] as const)('are reported and never sent again otherwise (%s)', async (resumeWith, kind) => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.decide = () => 'ignore';
    const result = outcome(session.dispatch(title('Mine')));
    await settled();
    r.host.resumeWith = resumeWith;
    await reconnect(r);
    expect(result.error).toBeInstanceOf(NotDeliveredError);
    expect(result.error).toMatchObject({ kind, sent: true, action: title('Mine') });
    expect(session.optimistic).toBe(session.confirmed);
    expect(r.host.heard.filter(({ method }) => method === 'dispatchAction')).toHaveLength(1);
  });

  it('whose echo comes after all still counts as the host’s action', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.decide = () => 'defer';
    const result = outcome(session.dispatch(title('Mine')));
    await settled();
    await reconnect(r);
    expect(result.state).toBe('broken');
    r.host.releaseDeferred();
    await quiet(r);
    expect(session.confirmed.title).toBe('Mine');
  });

  it('that were made without a connection are sent once there is one', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    await r.network.drop();
    const result = outcome(session.dispatch(title('Offline')));
    expect(session.optimistic.title).toBe('Offline');
    r.host.emit(SESSION, title('Meanwhile'));
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(result.state).toBe('kept');
    expect(r.host.state(SESSION)).toMatchObject({ title: 'Offline' });
  });

  it('that wait too long for a connection are given up', async () => {
    const r = await rig({ requestTimeoutMs: 1000 });
    const session = await r.client.session(SESSION);
    r.network.failure = new Error('down');
    await r.network.drop();
    const result = outcome(session.dispatch(title('Offline')));
    r.clock.advance(1000);
    await quiet(r);
    expect(result.error).toMatchObject({ kind: 'timeout', sent: false });
    expect(session.optimistic).toBe(session.confirmed);
  });
});

describe('trying again', () => {
  it('waits longer and longer, and not before the time', async () => {
    const r = await rig({ reconnect: { minDelayMs: 100, maxDelayMs: 800 }, random: () => 1 - Number.EPSILON });
    r.network.failure = new Error('down');
    await r.network.drop();
    const delays: number[] = [];
    for (let i = 0; i < 5; i++) {
      const delay = Math.round(r.clock.nextIn ?? 0);
      delays.push(delay);
      const attempts = r.network.attempts;
      r.clock.advance(delay - 1);
      await settled();
      expect(r.network.attempts).toBe(attempts);
      r.clock.advance(2);
      await settled();
      expect(r.network.attempts).toBe(attempts + 1);
    }
    expect(delays).toEqual([100, 200, 400, 800, 800]);
    expect(r.client.status).toBe('reconnecting');
  });

  it('comes back after a close that asks for it (1013)', async () => {
    const r = await rig();
    await r.network.drop(1013);
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(r.client.status).toBe('live');
  });

  it('gives up on a transport that does not come about, and closes one that comes too late', async () => {
    const host = fakeHost();
    const network = new Network(host);
    const late: ((transport: Transport) => void)[] = [];
    let hangs = false;
    const transport = () => (hangs ? new Promise<Transport>((resolve) => late.push(resolve)) : network.open());
    const clock = new FakeClock();
    const client = await connect({ transport, clock });
    hangs = true;
    await network.drop();
    clock.advance(clock.nextIn ?? 0);
    await settled();
    hangs = false;
    clock.advance(OPEN_TIMEOUT_MS);
    expect(client.status).toBe('reconnecting');
    clock.advance(clock.nextIn ?? 0);
    await quiet({ clock });
    expect(client.status).toBe('live');
    const [orphan, other] = createTransportPair();
    const closed = vi.fn();
    other.onClose(closed);
    late[0]?.(orphan);
    await settled();
    expect(closed).toHaveBeenCalled();
    expect(client.status).toBe('live');
  });

  it('gives up on a host that does not answer the handshake', async () => {
    const r = await rig();
    r.host.onRequest = (method) => (method === 'reconnect' ? new Promise(() => {}) : undefined);
    await reconnect(r);
    expect(r.client.status).toBe('reconnecting');
    r.host.onRequest = () => undefined;
    r.clock.advance(60_000);
    await settled();
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(r.client.status).toBe('live');
  });

  it('ends when the host refuses the token', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const statuses: unknown[] = [];
    r.client.onStatus((status, error) => statuses.push([status, error]));
    const refusal = new ConnectError('refused', 'HTTP 401', { status: 401 });
    r.network.failure = refusal;
    await reconnect(r);
    expect(statuses.at(-1)).toEqual(['closed', refusal]);
    expect(session.status).toBe('gone');
    expect(r.clock.armed).toBe(0);
  });

  it('ends when it is not wanted, without a word of reconnecting', async () => {
    const r = await rig({ reconnect: false });
    const statuses: string[] = [];
    r.client.onStatus((status) => statuses.push(status));
    await r.network.drop();
    expect(statuses).toEqual(['closed']);
    expect(r.clock.armed).toBe(0);
  });

  it('ends after the allowed attempts', async () => {
    const r = await rig({ reconnect: { maxAttempts: 2 } });
    r.network.failure = new Error('down');
    await r.network.drop();
    for (let i = 0; i < 2; i++) {
      r.clock.advance(r.clock.nextIn ?? 0);
      await settled();
    }
    expect(r.client.status).toBe('closed');
    expect(r.network.attempts).toBe(3);
  });
});

describe('liveness', () => {
  it('pings, and takes any message for a sign of life', async () => {
    const r = await rig();
    const pings = () => r.host.heard.filter(({ method }) => method === 'ping').length;
    for (let i = 0; i < 5; i++) {
      r.clock.advance(PING_INTERVAL_MS);
      await settled();
    }
    expect([pings(), r.client.status]).toEqual([5, 'live']);
    r.host.onRequest = (method) => (method === 'ping' ? new Promise(() => {}) : undefined);
    for (let i = 0; i < 5; i++) {
      r.host.notify('root/sessionRemoved', { channel: ROOT, session: SESSION });
      await settled();
      r.clock.advance(PING_INTERVAL_MS);
      await settled();
    }
    expect(r.client.status).toBe('live');
  });

  it('gives a silent connection up after two misses, and comes back', async () => {
    const r = await rig();
    await r.client.terminal(TERMINAL);
    r.host.onRequest = (method) => (method === 'ping' ? new Promise(() => {}) : undefined);
    r.clock.advance(3 * PING_INTERVAL_MS - 1);
    await settled();
    expect(r.client.status).toBe('live');
    r.clock.advance(1);
    await settled();
    expect(r.client.status).toBe('reconnecting');
    r.clock.advance(r.clock.nextIn ?? 0);
    await quiet(r);
    expect(r.client.status).toBe('live');
  });

  it('counts an error as an answer', async () => {
    const r = await rig();
    r.host.onRequest = (method) => (method === 'ping' ? Promise.reject(new Error('no such method')) : undefined);
    for (let i = 0; i < 5; i++) {
      r.clock.advance(PING_INTERVAL_MS);
      await settled();
    }
    expect(r.client.status).toBe('live');
  });

  it('does not take a ping that could not be sent for an answer', async () => {
    const network = new Network(fakeHost());
    const clock = new FakeClock();
    let isDead = false;
    const transport = () => {
      const end = network.open();
      const { onMessage, onClose } = { onMessage: end.onMessage.bind(end), onClose: end.onClose.bind(end) };
      return { send: (text: string) => void (isDead || end.send(text)), close: () => end.close(), onMessage, onClose };
    };
    const client = await connect({ transport, clock, requestTimeoutMs: false });
    isDead = true;
    for (let i = 0; i < DEFAULT_LIMITS.maxPendingRequests; i++) void client.request('ping').catch(() => {});
    for (let i = 0; i < 3; i++) {
      clock.advance(PING_INTERVAL_MS);
      await settled();
    }
    expect(client.status).toBe('reconnecting');
  });

  it('can be turned off', async () => {
    const r = await rig({ liveness: false });
    expect(r.clock.armed).toBe(0);
  });
});
