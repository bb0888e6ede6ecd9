import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { CAN_CONFINE } from '../support/sandbox.js';

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
});
afterEach(() => world.end());

/** A configuration file for the host; the path of it. */
function config(value: object): string {
  mkdirSync(join(world.folder, 'config/moorage'), { recursive: true });
  const file = join(world.folder, 'config/moorage/config.jsonc');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const written = () => readFileSync(join(world.work, 'out.txt'), 'utf8');
const run = (command: string, ...options: string[]) =>
  world.moorage(
    'run',
    '-C',
    world.work,
    '--agent',
    'demo',
    '--yes',
    ...options,
    `/run { ${command} ; } > out.txt 2>&1; true`,
  );

describe.skipIf(!CAN_CONFINE)('moorage run', () => {
  it('--sandbox keeps the host to itself: its data, its token, its socket', async () => {
    const socket = join(world.folder, 'host.sock');
    await world.serve('--socket', socket);
    const secrets = `ls ${world.dataDir} ${socket}; cat ${join(world.dataDir, 'token')}`;
    expect(await run(secrets)).toMatchObject({ code: 0 });
    expect(written()).toContain('store.sqlite');
    expect(await run(secrets, '--sandbox')).toMatchObject({ code: 0 });
    expect(written()).not.toContain('store.sqlite');
    expect(written()).not.toContain(world.host?.token);
  });

  it('--network off leaves no way to the host', async () => {
    const { url } = await world.serve();
    const get = `curl -sS ${url.replace('ws:', 'http:')}healthz`;
    await run(get, '--sandbox');
    expect(written()).not.toMatch(/refused|Failed to connect/i);
    await run(get, '--network', 'off');
    expect(written()).toMatch(/refused|Failed to connect|Could not connect/i);
  });

  it('--network listed reaches what the configuration lists', async () => {
    const file = config({ sandbox: { hosts: ['127.0.0.1:1'] } });
    const { url } = await world.serve('--config', file);
    await run(`curl -sS ${url.replace('ws:', 'http:')}healthz`, '--network', 'listed');
    expect(written()).toContain('is not among the hosts');
  });

  it('is confined without asking for it where the configuration says so', async () => {
    await world.serve('--config', config({ sandbox: { default: 'network' } }));
    await run(`ls ${world.dataDir}`);
    expect(written()).not.toContain('store.sqlite');
    await run(`ls ${world.dataDir}`, '--set', 'sandbox=off');
    expect(written()).toContain('store.sqlite');
  });

  it('--network listed is refused without a list, and nothing is run', async () => {
    await world.serve();
    const { code, err } = await run('true', '--network', 'listed');
    expect([code, err]).toEqual([1, expect.stringContaining('the configuration lists no hosts')]);
    expect(existsSync(join(world.work, 'out.txt'))).toBe(false);
  });
});

describe('a configuration of the sandbox that is wrong', () => {
  it.each([
    [{ default: 'on' }, /sandbox\.default: expected "off", "network", "listed" or "offline"/],
    [{ hosts: ['https://a.example/'] }, /sandbox\.hosts\.0: expected a host such as/],
    [{ hosts: ['a.example:99999'] }, /sandbox\.hosts\.0: expected a host such as/],
  ])('is refused: %j', async (sandbox, words) => {
    const { code, err } = await world.moorage('serve', '--port', '0', '--config', config({ sandbox }));
    expect([code, err]).toEqual([2, expect.stringMatching(words)]);
  });
});
