import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createTokenCredentials } from '../../src/adapters/transport-ws/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { startHost, type TestHost, TOKEN } from './support/host.js';
import { rawUpgrade } from './support/raw-http.js';

const WRONG = 'wrong-token-zzzz';
const protocols = (...names: string[]) => ({ 'sec-websocket-protocol': names.join(', ') });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('who is let in', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  const cases: [name: string, path: string, headers: Record<string, string>, credential: string | 401][] = [
    ['nothing', '/', {}, 401],
    ['a right header', '/', bearer(TOKEN), 'owner'],
    ['another right header', '/', bearer('guest-token'), 'guest'],
    ['a header whose scheme is written otherwise', '/', { authorization: `bEARER   ${TOKEN}` }, 'owner'],
    ['a wrong header', '/', bearer(WRONG), 401],
    ['an empty header', '/', { authorization: 'Bearer ' }, 401],
    ['a header without token', '/', { authorization: 'Bearer' }, 401],
    ['the start of the token', '/', bearer(TOKEN.slice(0, -1)), 401],
    ['the token and more', '/', bearer(`${TOKEN}x`), 401],
    ['the name of the credential', '/', bearer('owner'), 401],
    ['another scheme', '/', { authorization: `Basic ${TOKEN}` }, 401],
    ['a right subprotocol', '/', protocols('ahp', `ahp.bearer.${TOKEN}`), 'owner'],
    ['a right subprotocol first', '/', protocols(`ahp.bearer.${TOKEN}`, 'ahp'), 'owner'],
    ['a right subprotocol alone', '/', protocols(`ahp.bearer.${TOKEN}`), 'owner'],
    ['a wrong subprotocol', '/', protocols('ahp', `ahp.bearer.${WRONG}`), 401],
    ['an empty subprotocol', '/', protocols('ahp', 'ahp.bearer.'), 401],
    ['only ahp', '/', protocols('ahp'), 401],
    ['a right query', `/?token=${TOKEN}`, {}, 'owner'],
    ['a right query of VS Code (V-1)', `/?a=b&tkn=${TOKEN}`, {}, 'owner'],
    ['a right query on another path', `/some/where?token=${TOKEN}`, {}, 'owner'],
    ['a right query, escaped', `/?token=${TOKEN.replace('-', '%2D')}`, {}, 'owner'],
    ['a wrong query', `/?token=${WRONG}`, {}, 401],
    ['an empty query', '/?token=', {}, 401],
    ['a token in the path', `/${TOKEN}`, {}, 401],
    [
      'a header before a wrong subprotocol and query',
      `/?token=${WRONG}`,
      { ...bearer(TOKEN), ...protocols(`ahp.bearer.${WRONG}`) },
      'owner',
    ],
    [
      'a wrong header before right others',
      `/?token=${TOKEN}`,
      { ...bearer(WRONG), ...protocols(`ahp.bearer.${TOKEN}`) },
      401,
    ],
    ['a wrong subprotocol before a right query', `/?token=${TOKEN}`, protocols('ahp', `ahp.bearer.${WRONG}`), 401],
    ['an empty token before a right tkn', `/?token=&tkn=${TOKEN}`, {}, 401],
    ['another scheme before a right query', `/?token=${TOKEN}`, { authorization: 'Basic eDp5' }, 'owner'],
  ];
  it.each(cases)('%s', async (_name, path, headers, expected) => {
    const before = host.incoming.length;
    const { status, head, body } = await rawUpgrade(host.port, path, headers);
    expect(status).toBe(expected === 401 ? 401 : 101);
    expect(host.incoming.slice(before).map(({ credential }) => credential)).toEqual(expected === 401 ? [] : [expected]);
    if (expected === 401) expect(body).toBe('a valid token is required\n');
    for (const secret of [TOKEN, WRONG, 'guest-token']) {
      expect(head + body).not.toContain(secret);
      expect(host.log.text).not.toContain(secret);
    }
  });

  it('answers with the subprotocol ahp, never with the one that holds the token', async () => {
    const both = await rawUpgrade(host.port, '/', protocols(`ahp.bearer.${TOKEN}`, 'ahp'));
    expect(both.head.toLowerCase()).toContain('sec-websocket-protocol: ahp\r\n'.trimEnd());
    const alone = await rawUpgrade(host.port, '/', protocols(`ahp.bearer.${TOKEN}`));
    expect(alone.status).toBe(101);
    expect(alone.head.toLowerCase()).not.toContain('sec-websocket-protocol');
  });

  it('works with a client that checks the subprotocol, as browsers do', async () => {
    const ws = new WebSocket(host.address, ['ahp', `ahp.bearer.${TOKEN}`]);
    await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
    expect(ws.protocol).toBe('ahp');
    ws.terminate();
  });

  it('refuses a broken handshake in one line, also with a token', async () => {
    for (const broken of [{ 'sec-websocket-key': 'short' }, { 'sec-websocket-version': '7' }, protocols('a', 'a')]) {
      const { status, body } = await rawUpgrade(host.port, '/', { ...bearer(TOKEN), ...broken });
      expect(status).toBe(400);
      expect(body).not.toContain('\n');
    }
  });
});

describe('token credentials', () => {
  it('refuse an empty token, which anyone could show', () => {
    expect(() => createTokenCredentials({ owner: '' })).toThrow(/owner/);
  });

  it('let nobody in when there are none', () => {
    expect(createTokenCredentials({}).check('')).toBeUndefined();
  });
});

describe('wrong tokens', () => {
  it('may be tried only so often from one address, and are logged once', async () => {
    const clock = new ManualClock();
    const host = await startHost({ clock, limits: { wrongTokensAtOnce: 3, wrongTokensPerSecond: 1 } });
    const statusOf = async (headers: Record<string, string>) => (await rawUpgrade(host.port, '/', headers)).status;
    for (let count = 0; count < 3; count++) expect(await statusOf(bearer(WRONG))).toBe(401);
    expect(await statusOf(bearer(WRONG))).toBe(429);
    expect(await statusOf(bearer(TOKEN))).toBe(429); // or a guess would still be told from a right one
    expect(await statusOf({})).toBe(401); // no token, no guess
    clock.advance(1000);
    expect(await statusOf(bearer(TOKEN))).toBe(101); // right ones are not counted
    expect(await statusOf(bearer(TOKEN))).toBe(101);
    expect(await statusOf(bearer(WRONG))).toBe(401);
    expect(await statusOf(bearer(WRONG))).toBe(429);
    const line = (status: number, count: number) =>
      `warn connection.refused a client was refused ${JSON.stringify({ status, remote: '127.0.0.1', count })}`;
    expect(host.log.lines).toEqual([line(401, 1), line(429, 1)]);
    clock.advance(60_000);
    expect(await statusOf(bearer(WRONG))).toBe(401);
    expect(host.log.lines.slice(2)).toContain(line(401, 5));
    await host.close();
  });
});
