import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenCredentials, listenWebSocket, PairingCodes } from '../../src/adapters/transport-ws/index.js';
import type { Listener } from '../../src/ports/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const TOKEN = 'the-token-0123456789';
const listeners: Listener[] = [];
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});

async function start() {
  const clock = new ManualClock();
  const logged: string[] = [];
  const log = { write: (...line: unknown[]) => void logged.push(JSON.stringify(line)) };
  const codes = new PairingCodes({ clock });
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    credentials: createTokenCredentials({ token: TOKEN }),
    pairing: codes,
    onClient: () => {},
    log,
  });
  listeners.push(listener);
  return { clock, codes, logged, port: listener.port };
}

/** The answer to a request with a code. */
function pair(port: number, code: string, headers: Record<string, string> = {}, path = '/pair', method = 'POST') {
  return new Promise<{ status: number; body: string; cache: string | undefined }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { 'X-Moorage-Pairing': code, ...headers } };
    const sent = request(options, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body, cache: response.headers['cache-control'] }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a pairing code', () => {
  it('gives the token, once', async () => {
    const { port, codes } = await start();
    const { code } = codes.create(() => TOKEN);
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    const first = await pair(port, code);
    expect(first).toEqual({ status: 200, body: JSON.stringify({ token: TOKEN }), cache: 'no-store' });
    expect((await pair(port, code)).status).toBe(403);
  });

  it('may be typed without dashes and in small letters', async () => {
    const { port, codes } = await start();
    const typed = codes
      .create(() => TOKEN)
      .code.toLowerCase()
      .replaceAll('-', ' ');
    expect((await pair(port, typed)).status).toBe(200);
  });

  it('is worthless after ten minutes, and when the clock is set back before it was made', async () => {
    const { port, codes, clock } = await start();
    const { code, expiresAt } = codes.create(() => TOKEN);
    expect(expiresAt - clock.now()).toBe(600_000);
    clock.advance(600_000);
    expect((await pair(port, code)).status).toBe(403);
    const later = codes.create(() => TOKEN);
    clock.jump(-1);
    expect((await pair(port, later.code)).status).toBe(403);
  });

  it('makes the oldest worthless if there are more than four', async () => {
    const { port, codes } = await start();
    const made = Array.from({ length: 5 }, () => codes.create(() => TOKEN).code);
    expect((await pair(port, made[0] ?? '')).status).toBe(403);
    expect((await pair(port, made[1] ?? '')).status).toBe(200);
  });

  it('can be guessed only so often from one address: then even the right one is not looked at', async () => {
    const { port, codes, clock } = await start();
    const { code } = codes.create(() => TOKEN);
    for (let count = 0; count < 5; count++) expect((await pair(port, 'AAAA-AAAA-AAAA')).status).toBe(403);
    expect((await pair(port, code)).status).toBe(429);
    clock.advance(10_000);
    expect((await pair(port, code)).status).toBe(200);
  });

  it('is worthless after a hundred guesses from anywhere', () => {
    const codes = new PairingCodes({ clock: new ManualClock() });
    const { code } = codes.create(() => TOKEN);
    for (let count = 0; count < 100; count++) codes.redeem('AAAA-AAAA-AAAA', `192.0.2.${count}`);
    expect(codes.redeem(code, '198.51.100.1')).toBe('wrong');
  });

  it('is not taken from a page of another origin, under another name, or in any other way', async () => {
    const { port, codes } = await start();
    const { code } = codes.create(() => TOKEN);
    expect((await pair(port, code, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await pair(port, code, { Host: 'rebound.example' })).status).toBe(403);
    expect((await pair(port, code, {}, '/pair', 'GET')).status).toBe(404);
    expect((await pair(port, code, {}, '/pair', 'PUT')).status).toBe(405);
    expect((await pair(port, code, {}, '/other')).status).toBe(405);
    expect((await pair(port, code, { Origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  });

  it('is in no log, nor kept as it is', async () => {
    const { port, codes, logged } = await start();
    const { code } = codes.create(() => TOKEN);
    await pair(port, 'AAAA-BBBB-CCCC');
    await pair(port, code);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join()).not.toMatch(/AAAA-BBBB|the-token/);
    expect(logged.join()).not.toContain(code);
    expect(JSON.stringify(codes)).not.toContain(code);
  });
});
