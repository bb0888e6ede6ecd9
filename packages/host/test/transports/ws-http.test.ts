import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocketListenerOptions } from '../../src/adapters/transport-ws/index.js';
import { ListenError } from '../../src/ports/index.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { rawExchange, rawGet, rawUpgrade, upgradeRequest } from './support/raw-http.js';
import { connectWs } from './support/ws-client.js';

describe('plain HTTP', () => {
  let host: TestHost;
  afterEach(() => host.close());
  const start = async (overrides: Partial<WebSocketListenerOptions> = {}) => {
    host = await startHost(overrides);
    return host.port;
  };

  it('tells health without a token, and readiness as it is', async () => {
    let ready = false;
    const port = await start({ isReady: () => ready });
    expect(await rawGet(port, '/healthz', {})).toMatchObject({ status: 200, body: 'alive\n' });
    expect(await rawGet(port, '/readyz', {})).toMatchObject({ status: 503, body: 'not serving\n' });
    expect((await rawUpgrade(port, `/?token=${TOKEN}`, {})).status).toBe(503);
    ready = true;
    expect(await rawGet(port, '/readyz?probe=1', {})).toMatchObject({ status: 200, body: 'ready\n' });
    expect((await rawUpgrade(port, `/?token=${TOKEN}`, {})).status).toBe(101);
    const head = await rawExchange(port, 'HEAD /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\n$/);
  });

  it('knows no other path and no other method', async () => {
    const port = await start();
    expect(await rawGet(port, '/', {})).toMatchObject({ status: 404, body: 'not found\n' });
    expect(await rawGet(port, '/healthz/', {})).toMatchObject({ status: 404 });
    expect(await rawGet(port, '//', {})).toMatchObject({ status: 404 });
    const post = `POST /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi`;
    expect(await rawExchange(port, post)).toMatch(/^HTTP\/1.1 405 [\s\S]*allow: GET, HEAD/i);
    expect(await rawExchange(port, 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n')).toBe('');
    expect(await rawExchange(port, 'nonsense\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 Bad Request\r\nConnection: close\r\n\r\n$/,
    );
  });

  it('leaves other paths to the handler, and hides its faults', async () => {
    const port = await start({
      http: async (request, response) => {
        if (request.url === '/throw') throw new Error(`secret of ${TOKEN}`);
        if (request.url === '/half') {
          response.write('half');
          throw new Error('late');
        }
        if (request.url !== '/page') return false;
        response.end('<p>hello');
        return true;
      },
    });
    expect(await rawGet(port, '/page', {})).toMatchObject({ status: 200, body: expect.stringContaining('<p>hello') });
    expect(await rawGet(port, '/other', {})).toMatchObject({ status: 404 });
    expect(await rawGet(port, '/throw', {})).toMatchObject({ status: 500, body: 'internal error\n' });
    expect((await rawGet(port, '/half', {})).body).not.toContain('late');
    expect(host.log.text).toContain('answering an HTTP request failed');
    expect(host.log.text).not.toContain('secret');
  });

  it('passes over an offer of HTTP/2 on a plain request', async () => {
    const port = await start();
    const answer = await rawGet(port, '/healthz', {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABk',
    });
    expect(answer).toMatchObject({ status: 200, body: 'alive\n' });
  });

  it('survives an upgrade that is refused while an earlier answer is still under way', async () => {
    const port = await start({ http: () => new Promise(() => {}) });
    const slow = `GET /slow HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
    expect(await rawExchange(port, slow + upgradeRequest(port, '/', {}))).toBe('');
    expect((await rawGet(port, '/healthz', {})).status).toBe(200);
  });

  it('has room for so many clients of one credential, and then for others', async () => {
    const port = await start({ limits: { maxConnectionsPerCredential: 1 } });
    const first = await connectWs(`ws://127.0.0.1:${port}/`);
    expect((await rawUpgrade(port, `/?token=${TOKEN}`, {})).status).toBe(503);
    expect((await rawUpgrade(port, '/?token=guest-token', {})).status).toBe(101);
    first.cut();
  });

  it('has room for so many clients and no more', async () => {
    const port = await start({ limits: { maxConnections: 2 } });
    const url = `ws://127.0.0.1:${port}/`;
    const [first, second] = [await connectWs(url), await connectWs(url)];
    expect(await rawUpgrade(port, `/?token=${TOKEN}`, {})).toMatchObject({
      status: 503,
      body: 'too many connections\n',
    });
    expect((await rawUpgrade(port, '/', {})).status).toBe(401);
    first.close();
    await first.closed;
    const third = await connectWs(url);
    for (const client of [second, third]) client.cut();
  });
});

describe('listening', () => {
  it('tells in one sentence why it cannot', async () => {
    const host = await startHost();
    const attempt = (overrides: Partial<WebSocketListenerOptions>) =>
      startHost(overrides).then(
        () => undefined,
        (error: unknown) => error,
      );
    const taken = await attempt({ port: host.port });
    expect(taken).toBeInstanceOf(ListenError);
    expect(taken).toMatchObject({
      kind: 'in-use',
      message: `cannot listen on 127.0.0.1:${host.port}: another process listens there`,
    });
    expect(await attempt({ host: '192.0.2.1' })).toMatchObject({ kind: 'bad-options' });
    expect(await attempt({ port: 70_000 })).toMatchObject({ kind: 'bad-options' });
    expect(await attempt({ tls: { cert: 'no', key: 'no' } })).toMatchObject({ kind: 'bad-options' });
    expect(await attempt({ allowedOrigins: ['*'] })).toMatchObject({ kind: 'bad-options' });
    await host.close();
  });

  it('says where, with brackets around IPv6', async () => {
    const host = await startHost({ host: '::1' });
    expect(host.address).toBe(`ws://[::1]:${host.port}/`);
    const client = await connectWs(host.address, {
      headers: { authorization: `Bearer ${TOKEN}`, origin: `http://[::1]:${host.port}` },
    });
    client.cut();
    await host.close();
  });
});
