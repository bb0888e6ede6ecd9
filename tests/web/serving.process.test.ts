import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { removeFolder } from '../support/remove-folder.js';

let folder: string;
let host: HostProcess;
let origin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moorage-serving-'));
  host = await startHostProcess(['--data-dir', join(folder, 'data'), '--root', folder]);
  origin = new URL(host.web).origin;
});
afterAll(async () => {
  await host.stop();
  await removeFolder(folder);
});

describe('the page as the host serves it', () => {
  it('comes with a strict policy and is asked for anew each time', async () => {
    const response = await fetch(`${origin}/`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const policy = policyOf(response);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('img-src')).toBe("'self' data: blob:");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('connect-src')).toBe(`'self' ${origin.replace('http', 'ws')}`);
  });

  it('has everything it needs on this host, compressed, and cached for good', async () => {
    const html = await (await fetch(`${origin}/`)).text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|https?:\/\//);
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThanOrEqual(2);
    for (const path of assets) {
      const response = await fetch(origin + path, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(policyOf(response).get('default-src')).toBe("'none'");
      expect((await response.text()).length).toBeGreaterThan(100);
    }
  });

  it('gives nothing but what was built', async () => {
    const paths = [
      '/../package.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/index.html.gz',
      '/assets/',
      '/nothing',
      '//etc/passwd',
    ];
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 404]);
  });

  it('can be switched off', async () => {
    const data = join(folder, 'without');
    const without = await startHostProcess(['--data-dir', data, '--root', folder, '--no-web']);
    expect(without.ready.web).toBeUndefined();
    const { status } = await fetch(without.url.replace('ws', 'http'));
    expect(status).toBe(404);
    await without.stop();
  });
});

/** Sends the path as it is: `fetch` would tidy it up. */
function statusOf(path: string): Promise<number> {
  const { hostname, port, host: name } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(text.split(' ')[1])));
  });
}

function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('content-security-policy') ?? '';
  return new Map(
    text.split('; ').map((entry) => {
      const space = entry.indexOf(' ');
      return [entry.slice(0, space), entry.slice(space + 1)];
    }),
  );
}
