import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

/** What the page does with a code. */
async function redeem(port: string | number, code: string) {
  const headers = { 'X-Moorage-Pairing': code };
  const response = await fetch(`http://127.0.0.1:${port}/pair`, { method: 'POST', headers });
  return response.ok ? ((await response.json()) as { token: string }).token : response.status;
}

describe('a host that other machines can reach', () => {
  it('prints a QR code of a link with a one-time code, and not its token', async () => {
    const options = ['--host', '0.0.0.0', '--insecure', '--port', '0', '--data-dir', world.dataDir, '--root', '.'];
    const terminal = world.terminal('serve', ...options);
    await terminal.sees('Stop it with Ctrl-C');
    const [, port = '', code = ''] = /http:\/\/[\d.]+:(\d+)\/#pair=([\w-]+)/.exec(terminal.raw) ?? [];
    const token = readFileSync(join(world.dataDir, 'token'), 'utf8').trim();
    expect(terminal.raw).toMatch(/[▀▄█ ]{20}/);
    expect(terminal.raw).not.toContain(token);
    expect(await redeem(port, code)).toBe(token);
    expect(await redeem(port, code)).toBe(403);
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(0);
  });

  it('makes another code for moorage pair', async () => {
    const host = await world.serve('--host', '0.0.0.0', '--insecure');
    const { port } = new URL(host.url);
    const { code, link } = JSON.parse((await world.moorage('pair', '--json')).out) as { code: string; link: string };
    expect(link).toMatch(new RegExp(`^http://[\\d.]+:${port}/#pair=${code}$`));
    expect(await redeem(port, code)).toBe(host.token);
    const terminal = world.terminal('pair');
    await terminal.sees('It works once, within 10 minutes');
    expect(terminal.raw).toMatch(/[▀▄█ ]{20}/);
    expect(terminal.raw).not.toContain(host.token);
    const { out } = await world.moorage('pair'); // into a pipe: no picture
    expect(out).not.toMatch(/[▀▄█]/);
    expect(out).toContain('#pair=');
  });
});

describe('a host on this machine only', () => {
  it('says so when another device shall be paired', async () => {
    const host = await world.serve();
    const { out, code } = await world.moorage('pair');
    expect(code).toBe(0);
    expect(out).toContain('listens on this machine only');
    const [, pairing = ''] = /code: ([\w-]+)/.exec(out) ?? [];
    expect(await redeem(new URL(host.url).port, pairing)).toBe(host.token);
  });

  it('cannot pair without a page', async () => {
    await world.serve('--no-web');
    const { err, code } = await world.moorage('pair');
    expect([code, err]).toEqual([1, expect.stringContaining('serves no page')]);
  });
});
