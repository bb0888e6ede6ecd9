import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpHandler } from '../../src/adapters/transport-ws/index.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { rawGet, upgradeRequest } from './support/raw-http.js';
import { soon } from './support/waiting.js';
import { connectWs } from './support/ws-client.js';

describe('clients that take their time', () => {
  let host: TestHost;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await host.close();
  });
  const start = async (limits: Record<string, number>, http: HttpHandler = () => false) => {
    host = await startHost({ limits: { checkIntervalMs: 20, ...limits }, http });
  };
  const open = () => {
    const socket = connect(host.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.resume();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    return { socket, closed };
  };

  it('are cut when they say nothing', async () => {
    await start({ headersTimeoutMs: 100, requestTimeoutMs: 100 });
    await open().closed;
  });

  it('are cut when they send headers byte by byte', async () => {
    await start({ headersTimeoutMs: 150, requestTimeoutMs: 200 });
    const { socket, closed } = open();
    const request = upgradeRequest(host.port, '/', { authorization: `Bearer ${TOKEN}`, 'x-long': 'x'.repeat(5000) });
    let sent = 0;
    const drip = setInterval(() => socket.write(request.slice(sent, ++sent)), 5);
    await closed;
    clearInterval(drip);
    expect(sent).toBeLessThan(request.length);
    expect(host.incoming).toEqual([]);
  });

  it('are cut when they send a body byte by byte', async () => {
    await start({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const { socket, closed } = open();
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 5);
    await closed;
    clearInterval(drip);
  });

  it('are cut when their headers are too long', async () => {
    await start({ maxHeaderBytes: 2000 });
    expect((await rawGet(host.port, '/healthz', { 'x-long': 'x'.repeat(3000) })).status).toBe(431);
    expect((await rawGet(host.port, `/healthz?${'x'.repeat(3000)}`, {})).status).toBe(431);
  });

  it('lose their place to newer ones when they hold too many sockets without a token', async () => {
    await start({ maxUnprovenSockets: 5 });
    const holders = Array.from({ length: 5 }, open);
    await soon(() => expect(holders.every(({ socket }) => !socket.connecting)).toBe(true));
    const client = await connectWs(host.address);
    await Promise.race(holders.map(({ closed }) => closed));
    // Clients with a token do not count: five more sockets do not touch this one.
    const more = Array.from({ length: 5 }, open);
    await Promise.all(holders.map(({ closed }) => closed));
    client.send('"still here"');
    const incoming = host.incoming[0];
    const received = new Promise((resolve) => incoming?.transport.onMessage(resolve));
    expect(await received).toBe('"still here"');
    expect(host.log.text).toContain('too many sockets without a token');
    expect(more.some(({ socket }) => socket.destroyed)).toBe(false);
    client.cut();
  });

  it('do not lose a WebSocket by the timeouts of requests', async () => {
    await start({ headersTimeoutMs: 50, requestTimeoutMs: 60, idleTimeoutMs: 80 }, () => new Promise(() => {}));
    const client = await connectWs(host.address);
    // Others, who came later, are cut by them: one that says nothing, and one whose page never comes.
    const [silent, idle] = [open(), open()];
    idle.socket.write(`GET /page HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\n\r\n`);
    await Promise.all([silent.closed, idle.closed]);
    expect(client.ws.readyState).toBe(client.ws.OPEN);
    client.cut();
  });
});
