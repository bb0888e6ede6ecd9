import type { ActionOf } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { type Client, connect } from '../../src/index.js';
import { FakeClock, settled } from '../support/fake-clock.js';
import type { FakeHost } from '../support/fake-host.js';
import { fakeHost } from '../support/rig.js';
import { CHAT, data, delta, queued, SESSION, TERMINAL, title } from '../support/samples.js';
import { Wire } from '../support/wire.js';

interface Bench {
  readonly host: FakeHost;
  readonly client: Client;
  readonly clock: FakeClock;
  readonly wires: Wire[];
  wire(): Wire;
}

/** A client whose every message waits for the test. */
async function bench(): Promise<Bench> {
  const host = fakeHost();
  const wires: Wire[] = [];
  const clock = new FakeClock();
  const transport = () => {
    const wire = new Wire();
    wires.push(wire);
    host.connect(wire.host);
    return wire.client;
  };
  const connecting = connect({ transport, clock, clientId: 'me', initialSubscriptions: [], random: () => 0 });
  const wire = () => wires.at(-1) as Wire;
  await settled();
  wire().deliver('up');
  wire().deliver('down');
  return { host, client: await connecting, clock, wires, wire };
}

async function pump({ wire }: Bench): Promise<void> {
  while (wire().deliver('up') + wire().deliver('down') > 0 || wire().waiting('up') > 0) await settled();
}

async function subscribed<T>(b: Bench, promise: Promise<T>): Promise<T> {
  await settled();
  await pump(b);
  return promise;
}

/** Cuts the wire and lets the client open the next one, whose first words then wait. */
async function cutAndReopen({ clock, wire }: Bench): Promise<void> {
  wire().cut();
  await settled();
  clock.advance(clock.nextIn ?? 0);
  await settled();
}

function lastReconnect(host: FakeHost) {
  return host.heard.filter(({ method }) => method === 'reconnect').at(-1)?.params;
}

const read: ActionOf<'session'> = { type: 'session/isReadChanged', isRead: true };

describe('I-1: one transport', () => {
  it('hears nothing from the one before', async () => {
    const b = await bench();
    const session = await subscribed(b, b.client.session(SESSION));
    const old = b.wire();
    await cutAndReopen(b);
    old.client.receive(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'action',
        params: { channel: SESSION, serverSeq: 99, action: title('ghost') },
      }),
    );
    old.client.finish({ code: 1000 });
    await pump(b);
    expect(session.confirmed.title).toBe('A session');
    expect([b.client.status, b.wires.length]).toEqual(['live', 2]);
  });
});

describe('I-2: first things first', () => {
  it('sends nothing but the handshake until it is accepted', async () => {
    const b = await bench();
    const session = await subscribed(b, b.client.session(SESSION));
    await cutAndReopen(b);
    void session.dispatch(title('x'));
    void b.client.request('ping');
    void b.client.chat(CHAT);
    await settled();
    expect(b.wire().waiting('up')).toBe(1);
    b.wire().deliver('up');
    await settled();
    expect(b.wire().waiting('up')).toBe(0);
    b.wire().deliver('down');
    await settled();
    expect(b.wire().waiting('up')).toBe(3);
    expect(b.host.heard.at(-1)?.method).toBe('reconnect');
  });
});

describe('I-3: the last seen serverSeq skips nothing', () => {
  it('when a snapshot overtakes what is under way for another channel', async () => {
    const b = await bench();
    const session = await subscribed(b, b.client.session(SESSION));
    b.host.lazy = true;
    b.host.emit(SESSION, read); // numbered, not sent
    const before = b.client.serverSeq;
    await subscribed(b, b.client.chat(CHAT)); // its snapshot has a higher number
    expect(b.client.serverSeq).toBe(before);
    b.host.lazy = false;
    await cutAndReopen(b);
    await pump(b);
    expect(lastReconnect(b.host)).toMatchObject({ lastSeenServerSeq: before });
    expect(session.confirmed).toEqual(b.host.state(SESSION));
  });

  it('when an envelope comes right behind a replay that is lost', async () => {
    const b = await bench();
    const terminal = await subscribed(b, b.client.terminal(TERMINAL));
    b.wire().cut();
    await settled();
    b.host.emit(TERMINAL, data('missed '));
    b.clock.advance(b.clock.nextIn ?? 0);
    await settled();
    b.wire().deliver('up');
    b.host.emit(TERMINAL, data('seen '));
    // The answer, the next envelope and the end of the connection, all before the client gets to think.
    b.wire().deliver('down');
    b.wire().cut();
    await settled();
    b.clock.advance(b.clock.nextIn ?? 0);
    await settled();
    await pump(b);
    expect(terminal.confirmed.content).toEqual([{ type: 'unclassified', value: 'missed seen ' }]);
  });

  it('when a rejection has a higher number than what is still to come', async () => {
    const b = await bench();
    const session = await subscribed(b, b.client.session(SESSION));
    const before = b.client.serverSeq;
    const origin = { clientId: 'me', clientSeq: 7 };
    b.host.notify('action', {
      channel: SESSION,
      serverSeq: before + 9,
      action: title('x'),
      origin,
      rejectionReason: 'no',
    });
    await pump(b);
    expect(b.client.serverSeq).toBe(before);
    b.host.emit(SESSION, title('after'));
    await pump(b);
    expect(session.confirmed.title).toBe('after');
  });

  it('when the states of a handshake have different numbers', async () => {
    const b = await bench();
    const session = await subscribed(b, b.client.session(SESSION));
    await subscribed(b, b.client.chat(CHAT));
    b.host.onRequest = (method) => {
      if (method !== 'reconnect') return undefined;
      const snapshot = (uri: string, fromSeq: number) => ({ resource: uri, state: b.host.state(uri), fromSeq });
      return { type: 'snapshot', snapshots: [snapshot(SESSION, 50), snapshot(CHAT, 60)] };
    };
    await cutAndReopen(b);
    await pump(b);
    expect(b.client.serverSeq).toBe(50);
    b.host.notify('action', { channel: SESSION, serverSeq: 55, action: title('between') });
    await pump(b);
    expect(session.confirmed.title).toBe('between');
  });

  it('when nothing at all is known of the host’s numbers', async () => {
    const b = await bench();
    b.host.emit(SESSION, read);
    b.host.resumeWith = 'snapshot';
    await cutAndReopen(b);
    await pump(b);
    expect(b.client.serverSeq).toBe(0);
  });
});

describe('I-4: a mirror is its snapshot and what followed', () => {
  it('when the connection goes right behind the snapshot', async () => {
    const b = await bench();
    const promise = b.client.chat(CHAT);
    await settled();
    b.wire().deliver('up');
    b.host.emit(CHAT, delta('a'));
    b.wire().deliver('down');
    b.wire().cut();
    const chat = await promise;
    expect(chat.status).toBe('stale');
    b.host.emit(CHAT, delta('b'));
    b.clock.advance(b.clock.nextIn ?? 0);
    await settled();
    await pump(b);
    expect(lastReconnect(b.host)?.subscriptions).toEqual([CHAT]);
    expect(chat.confirmed).toEqual(b.host.state(CHAT));
    expect(chat.status).toBe('live');
  });

  it('when it is released and taken again with envelopes under way', async () => {
    const b = await bench();
    const first = await subscribed(b, b.client.chat(CHAT));
    b.host.emit(CHAT, delta('a'));
    first.release();
    const second = await subscribed(b, b.client.chat(CHAT));
    b.host.emit(CHAT, delta('b'));
    await pump(b);
    expect(second.confirmed).toEqual(b.host.state(CHAT));
  });
});

describe('I-4: a mirror that is taken again while the client comes back', () => {
  it('does not take the snapshot that was meant for the one before', async () => {
    const b = await bench();
    const first = await subscribed(b, b.client.session(SESSION));
    b.host.resumeWith = 'snapshot';
    await cutAndReopen(b);
    first.release();
    const taking = b.client.session(SESSION);
    b.wire().deliver('up'); // reconnect
    b.wire().deliver('down');
    await settled();
    b.wire().deliver('up', 1); // unsubscribe
    b.host.emit(SESSION, title('between'));
    await pump(b);
    expect((await taking).confirmed).toEqual(b.host.state(SESSION));
  });
});

describe('I-6: a dispatch is sent at most once', () => {
  it('and not at all after it was given up', async () => {
    const b = await bench();
    const chat = await subscribed(b, b.client.chat(CHAT));
    await cutAndReopen(b);
    const lost = chat.dispatch(queued('q', 'x'));
    chat.release();
    await expect(lost).rejects.toMatchObject({ kind: 'released', sent: false });
    await pump(b);
    expect(b.host.heard.some(({ method }) => method === 'dispatchAction')).toBe(false);
  });
});

describe('I-8: a handshake’s states come with the live connection', () => {
  it('and not at all when the connection goes first', async () => {
    const b = await bench();
    const session = await subscribed(b, b.client.session(SESSION));
    const statuses: string[] = [];
    b.client.onStatus((status) => statuses.push(`${status} ${session.status}`));
    b.host.resumeWith = 'snapshot';
    await cutAndReopen(b);
    b.host.emit(SESSION, title('new'));
    b.wire().deliver('up');
    b.wire().deliver('down');
    b.wire().cut();
    await settled();
    expect([session.status, session.confirmed.title]).toEqual(['stale', 'A session']);
    b.clock.advance(b.clock.nextIn ?? 0);
    await settled();
    await pump(b);
    expect(session.confirmed.title).toBe('new');
    expect(statuses).toEqual(['reconnecting stale', 'live live']);
  });
});
