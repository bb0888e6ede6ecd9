import type { CloseInfo } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { WebSocketListenerOptions } from '../../src/adapters/transport-ws/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { clog } from './support/clog.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { arrived, hostEndOf } from './support/host-sockets.js';
import { connectRaw, type RawClient } from './support/raw-client.js';
import { clientFrame } from './support/raw-frames.js';
import { rawExchange } from './support/raw-http.js';
import { settled, soon } from './support/waiting.js';
import { connectWs } from './support/ws-client.js';

const PING_MS = 30_000;
const pings = (client: RawClient) => client.frames.filter(({ opcode }) => opcode === 9).length;

let host: TestHost;
let timers: ManualClock;
const start = async (overrides: Partial<WebSocketListenerOptions> = {}) => {
  timers = new ManualClock();
  host = await startHost({ clock: timers, ...overrides });
};
const connected = async () => {
  const incoming = host.next();
  const far = await connectRaw(host.port);
  const { transport: near } = await incoming;
  const closes: CloseInfo[] = [];
  near.onClose((info) => closes.push(info));
  return { near, far, closes };
};
afterEach(() => host.close());

describe('peers that are gone without a word', () => {
  it('are pinged every 30 s and cut when two pings brought no sign of life', async () => {
    await start();
    const { far, closes } = await connected();
    timers.advance(PING_MS - 1);
    timers.advance(1);
    await soon(() => expect(pings(far)).toBe(1));
    timers.advance(PING_MS);
    await soon(() => expect(pings(far)).toBe(2));
    expect(closes).toEqual([]);
    timers.advance(PING_MS);
    await soon(() => expect(closes).toEqual([{ code: 1006, reason: 'no answer to pings' }]));
    await far.closed;
  });

  it.each([
    ['pongs', Array<Buffer>(6).fill(clientFrame(10, ''))],
    ['messages', Array<Buffer>(6).fill(clientFrame(1, '1'))],
    ['a message byte by byte', [...clientFrame(1, '1234567890')].map((byte) => Buffer.from([byte]))],
  ])('are not those who send %s', async (_name, pieces) => {
    await start();
    const { near, far, closes } = await connected();
    for (const [index, piece] of pieces.entries()) {
      timers.advance(PING_MS);
      await soon(() => expect(pings(far)).toBe(index + 1));
      far.socket.write(piece);
      await arrived(far.socket);
    }
    expect(closes).toEqual([]);
    near.close();
  });

  it('are not those who answer by themselves, as clients do', async () => {
    await start();
    const client = await connectWs(host.address);
    for (let round = 0; round < 6; round++) {
      const pinged = new Promise((resolve) => client.ws.once('ping', resolve));
      timers.advance(PING_MS);
      await pinged; // and answered: the pong goes out before the event
      await arrived(client.socket);
    }
    expect(client.ws.readyState).toBe(WebSocket.OPEN);
    client.cut();
  });

  it('get more time while they take in what was sent, for their pong is far behind', async () => {
    await start();
    const { near, far, closes } = await connected();
    far.pause();
    await clog(near);
    for (let round = 0; round < 8; round++) timers.advance(PING_MS);
    far.resume();
    await soon(() => expect(near.backlog).toBe(0));
    // It took everything: the count starts again, without the allowance.
    for (let round = 0; round < 2; round++) timers.advance(PING_MS);
    await soon(() => expect(pings(far)).toBe(10));
    expect(closes).toEqual([]);
    timers.advance(PING_MS);
    await soon(() => expect(closes).toEqual([{ code: 1006, reason: 'no answer to pings' }]));
  });

  it('are cut at last when nothing of what was sent is taken in', async () => {
    await start();
    const { near, far, closes } = await connected();
    far.pause();
    await clog(near);
    for (let round = 0; round < 10; round++) timers.advance(PING_MS);
    await settled();
    expect(closes).toEqual([]);
    for (let round = 0; round < 2; round++) timers.advance(PING_MS);
    await soon(() => expect(closes).toEqual([{ code: 1006, reason: 'no answer to pings' }]));
  });
});

describe('stopping', () => {
  it('says goodbye with 1001, resolves when all are gone, and leaves no timer', async () => {
    await start();
    const [first, second] = [await connected(), await connected()];
    const stopped = host.close();
    expect(host.close()).toBe(stopped);
    expect(await first.far.closed).toEqual({ code: 1001, reason: 'the host stops' });
    expect(await second.far.closed).toEqual({ code: 1001, reason: 'the host stops' });
    await stopped;
    expect(first.closes).toEqual([{ code: 1001, reason: 'the host stops' }]);
    expect(timers.waiting).toBe(0);
    await expect(rawExchange(host.port, 'GET /healthz HTTP/1.1\r\n\r\n')).rejects.toThrow('ECONNREFUSED');
  });

  it('cuts who does not answer the goodbye after the grace: clients, silent sockets, slow pages', async () => {
    let pages = 0;
    await start({
      http: () => {
        pages++;
        return new Promise(() => {});
      },
    });
    const { far } = await connected();
    far.pause();
    const silent = rawExchange(host.port, '').catch(() => '');
    const page = rawExchange(host.port, `GET /page HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\n\r\n`).catch(() => '');
    await soon(() => expect(pages).toBe(1)); // the silent one came before it
    let done = false;
    const stopped = host.close().then(() => {
      done = true;
    });
    timers.advance(1_999);
    await settled();
    expect(done).toBe(false);
    timers.advance(1);
    await stopped;
    expect([await silent, await page]).toEqual(['', '']);
    far.cut();
  });

  it('lets nobody in meanwhile, also not on a socket that was open before', async () => {
    await start();
    const { far } = await connected();
    far.pause();
    const early = await connectRaw(host.port).then(({ socket }) => socket);
    const stopped = host.close();
    await expect(connectWs(host.address)).rejects.toThrow();
    timers.advance(2_000);
    await stopped;
    for (const socket of [early, far.socket]) socket.destroy();
    expect(host.incoming.length).toBe(2);
  });
});

it('closes a client whose hand-over failed, and goes on', async () => {
  let fail = true;
  await start({
    onClient: ({ transport }) => {
      if (fail) throw new Error(`about ${TOKEN}`);
      transport.onMessage((text) => transport.send(text));
    },
  });
  const first = await connectRaw(host.port);
  expect(await first.closed).toEqual({ code: 1011, reason: 'internal error' });
  expect(host.log.text).toContain('opening a connection failed');
  expect(host.log.text).not.toContain(TOKEN);
  fail = false;
  const second = await connectRaw(host.port);
  second.send('1');
  await soon(() => expect(second.received).toEqual(['1']));
  second.cut();
});

it('ends the connection with a client that neither reads nor answers its close', async () => {
  await start({ limits: { closeGraceMs: 100 } });
  const { near, far } = await connected();
  far.pause();
  await clog(near);
  const hostEnd = hostEndOf(far.socket);
  near.close(1008, 'too slow');
  await soon(() => expect(hostEnd.destroyed).toBe(true));
  far.resume();
  await far.closed;
  expect(far.frames.some(({ opcode }) => opcode === 8)).toBe(false);
});
