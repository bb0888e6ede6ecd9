import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, ConnectError, connect } from '../../src/index.js';
import type { FakeHost } from '../support/fake-host.js';
import { fakeHost } from '../support/rig.js';
import { CHAT, delta, SESSION, title } from '../support/samples.js';
import { type SocketServer, unixServer, webSocketServer } from '../support/socket-server.js';

const clients: Client[] = [];

async function connected(...args: Parameters<typeof connect>): Promise<Client> {
  const client = await connect(...args);
  clients.push(client);
  return client;
}

function becomes(client: Client, wanted: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    client.onStatus((status, error) => {
      if (status === wanted) resolve(error);
    });
  });
}

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

describe('over a WebSocket', () => {
  let host: FakeHost;
  let server: SocketServer;

  beforeEach(async () => {
    host = fakeHost();
    server = await webSocketServer(host);
  });
  afterEach(() => server.close());

  it('sends the token in a header and mirrors a burst', async () => {
    const client = await connected({ url: server.url, token: 'secret' });
    expect(server.upgrades[0]?.headers.authorization).toBe('Bearer secret');
    expect(server.upgrades[0]?.headers['sec-websocket-protocol']).toBeUndefined();
    const chat = await client.chat(CHAT);
    let notified = 0;
    const done = new Promise<void>((resolve) => {
      chat.subscribe(({ confirmed }) => {
        notified++;
        if (JSON.stringify(confirmed.activeTurn?.responseParts).length > 2000) resolve();
      });
    });
    for (let i = 0; i < 2000; i++) host.emit(CHAT, delta('x'));
    await done;
    expect(notified).toBeLessThan(1000);
    await client.request('ping');
    expect(chat.confirmed).toEqual(host.state(CHAT));
  });

  it('needs no token, takes an http URL, and dispatches', async () => {
    const client = await connected({ url: `${server.url.replace('ws:', 'http:')}#link` });
    expect(server.upgrades[0]?.headers.authorization).toBeUndefined();
    const session = await client.session(SESSION);
    await expect(session.dispatch(title('Über'))).resolves.toMatchObject({ action: title('Über') });
  });

  it.each([401, 403])('says that it was refused (%i) and does not try again', async (status) => {
    server.refuseWith = status;
    const attempt = connect({ url: server.url, token: 'wrong' });
    await expect(attempt).rejects.toBeInstanceOf(ConnectError);
    await expect(attempt).rejects.toMatchObject({ kind: 'refused', status });
    expect(server.upgrades).toHaveLength(1);
  });

  it('tells what else can go wrong', async () => {
    server.refuseWith = 503;
    await expect(connect({ url: server.url })).rejects.toMatchObject({ kind: 'unreachable', status: 503 });
    await expect(connect({ url: 'ws://127.0.0.1:1/' })).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(connect({ url: 'ftp://x' })).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(connect({ url: 'unix:/does/not/exist' })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('comes back after "try again later" with what it missed', async () => {
    const client = await connected({ url: server.url, reconnect: { minDelayMs: 10 } });
    const chat = await client.chat(CHAT);
    const live = becomes(client, 'live');
    const lost = becomes(client, 'reconnecting');
    server.drop(1013);
    await expect(lost).resolves.toMatchObject({ info: { code: 1013 } });
    host.emit(CHAT, delta('missed'));
    await live;
    expect(chat.confirmed).toEqual(host.state(CHAT));
    expect(host.heard.at(-1)?.method).toBe('reconnect');
  });

  it('ends when the token is no longer good', async () => {
    const client = await connected({ url: server.url, token: 'old', reconnect: { minDelayMs: 10 } });
    const closed = becomes(client, 'closed');
    server.refuseWith = 401;
    server.drop(1008);
    await expect(closed).resolves.toMatchObject({ kind: 'refused', status: 401 });
  });
});

describe('over a unix socket', () => {
  it('speaks one message per line, and comes back', async () => {
    const host = fakeHost();
    const server = await unixServer(host);
    const client = await connected({ url: `unix:${server.path}`, reconnect: { minDelayMs: 10 } });
    const session = await client.session(SESSION);
    await session.dispatch(title('line\nbreak'));
    expect(session.confirmed.title).toBe('line\nbreak');
    const live = becomes(client, 'live');
    server.drop();
    host.emit(SESSION, title('missed'));
    await live;
    expect(session.confirmed.title).toBe('missed');
    client.close();
    await server.close();
  });
});
