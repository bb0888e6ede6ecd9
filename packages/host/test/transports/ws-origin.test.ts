import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSite } from '../../src/adapters/transport-ws/site.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { rawExchange, rawGet, rawUpgrade } from './support/raw-http.js';

const ALLOWED = ['https://app.example.org', 'http://dev.example.org:8080/', 'vscode-file://vscode-app'];

describe('which pages may connect', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ allowedOrigins: ALLOWED, http: (_, response) => Boolean(response.end('page')) });
  });
  afterAll(() => host.close());

  // PORT stands for the port that we listen on.
  const cases: [origin: string | undefined, host: string, status: number][] = [
    [undefined, '127.0.0.1:PORT', 101],
    [undefined, 'evil.example:PORT', 101],
    ['http://127.0.0.1:PORT', '127.0.0.1:PORT', 101],
    ['http://localhost:PORT', 'localhost:PORT', 101],
    ['http://localhost:PORT', 'LocalHost:PORT', 101],
    ['http://127.5.6.7:PORT', '127.5.6.7:PORT', 101],
    ['http://[::1]:PORT', '[::1]:PORT', 101],
    ['https://127.0.0.1:PORT', '127.0.0.1:PORT', 403],
    ['http://127.0.0.1:1', '127.0.0.1:PORT', 403],
    ['http://127.0.0.1', '127.0.0.1:PORT', 403],
    ['http://localhost:PORT', '127.0.0.1:PORT', 403],
    ['http://127.0.0.1:9999', '127.0.0.1:9999', 403],
    ['http://evil.example', '127.0.0.1:PORT', 403],
    ['http://evil.example:PORT', 'evil.example:PORT', 403],
    ['http://evil.example', 'evil.example', 403],
    ['http://127.0.0.1.evil.example:PORT', '127.0.0.1.evil.example:PORT', 403],
    ['http://localhost.evil.example:PORT', 'localhost.evil.example:PORT', 403],
    ['http://127.0.0.1:PORT', 'x@127.0.0.1:PORT', 403],
    ['http://127.0.0.1:PORT', '127.0.0.1:PORT/x', 403],
    ['http://127.0.0.1:PORT@evil.example', '127.0.0.1:PORT', 403],
    ['http://192.0.2.1:PORT', '192.0.2.1:PORT', 403],
    ['null', '127.0.0.1:PORT', 403],
    ['', '127.0.0.1:PORT', 403],
    ['file://', '127.0.0.1:PORT', 403],
    ['*', '127.0.0.1:PORT', 403],
    ['https://app.example.org', '127.0.0.1:PORT', 101],
    ['https://APP.example.org', 'app.example.org', 101],
    ['http://dev.example.org:8080', 'dev.example.org:8080', 101],
    ['vscode-file://vscode-app', '127.0.0.1:PORT', 101], // V-1
    ['http://app.example.org', '127.0.0.1:PORT', 403],
    ['https://app.example.org.evil.example', '127.0.0.1:PORT', 403],
    ['https://app.example.org:444', '127.0.0.1:PORT', 403],
    ['https://sub.app.example.org', '127.0.0.1:PORT', 403],
  ];
  const real = (text: string) => text.replaceAll('PORT', String(host.port));

  it.each(cases)('Origin %s, Host %s: %i', async (origin, hostName, status) => {
    const headers = { host: real(hostName), authorization: `Bearer ${TOKEN}` };
    const answer = await rawUpgrade(
      host.port,
      '/',
      origin === undefined ? headers : { ...headers, origin: real(origin) },
    );
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toBe('this page may not connect\n');
  });

  it('does not tell a page that may not connect whether its token is right', async () => {
    const answers = await Promise.all(
      [TOKEN, 'wrong'].map((token) => rawUpgrade(host.port, `/?token=${token}`, { origin: 'http://evil.example' })),
    );
    expect(answers[0]).toEqual({ ...answers[1], head: expect.any(String) });
    expect(answers[0]?.status).toBe(403);
  });

  it('reads the header of the older protocol version too', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'sec-websocket-version': '8' };
    expect((await rawUpgrade(host.port, '/', headers)).status).toBe(101);
    const page = { ...headers, 'sec-websocket-origin': 'http://evil.example' };
    expect((await rawUpgrade(host.port, '/', page)).status).toBe(403);
  });

  it.each([
    ['127.0.0.1:PORT', 200],
    ['localhost:PORT', 200],
    ['app.example.org', 200],
    ['evil.example:PORT', 403],
    ['127.0.0.1:1', 403],
    ['127.0.0.1', 403],
  ])('serves pages only under its own names: Host %s: %i', async (hostName, status) => {
    expect((await rawGet(host.port, '/', { host: real(hostName) })).status).toBe(status);
    expect((await rawGet(host.port, '/healthz', { host: real(hostName) })).status).toBe(200);
    expect((await rawGet(host.port, '/readyz', { host: real(hostName) })).status).toBe(200);
  });

  it('serves no page to a request without Host', async () => {
    expect(await rawExchange(host.port, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 403 /);
    expect(await rawExchange(host.port, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('a site', () => {
  const asked = (host: string, localAddress: string, localPort: number) => ({
    headers: { host },
    socket: { localAddress, localPort },
  });

  it('answers to the literal address that a connection arrived at when it listens on all', () => {
    const site = createSite({ secure: false, host: '0.0.0.0', allowedOrigins: [] });
    expect(site.hostAllowed(asked('192.0.2.7:7433', '192.0.2.7', 7433))).toBe(true);
    expect(site.hostAllowed(asked('192.0.2.7:7433', '::ffff:192.0.2.7', 7433))).toBe(true);
    expect(site.hostAllowed(asked('[2001:db8::7]:7433', '2001:db8::7', 7433))).toBe(true);
    expect(site.hostAllowed(asked('[2001:db8:0::7]:7433', '2001:db8::7', 7433))).toBe(true);
    expect(site.hostAllowed(asked('192.0.2.8:7433', '192.0.2.7', 7433))).toBe(false);
    expect(site.hostAllowed(asked('name.example:7433', '192.0.2.7', 7433))).toBe(false);
  });

  it('answers to the name it was told to listen on', () => {
    const site = createSite({ secure: true, host: 'My-Host.lan', allowedOrigins: [] });
    expect(site.hostAllowed(asked('my-host.lan:7433', '192.0.2.7', 7433))).toBe(true);
    expect(site.hostAllowed(asked('my-host.lan', '192.0.2.7', 443))).toBe(true);
    expect(site.hostAllowed(asked('my-host.lan', '192.0.2.7', 80))).toBe(false);
    expect(site.hostAllowed(asked('other-host.lan:7433', '192.0.2.7', 7433))).toBe(false);
  });

  it.each(['*', 'example.org', 'https://', 'https://a b', 'https://a/path', 'https://u@a', ''])(
    'refuses the allowed origin "%s" at the start',
    (origin) => {
      expect(() => createSite({ secure: false, host: '::1', allowedOrigins: [origin] })).toThrow(/allowedOrigins/);
    },
  );
});
