import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GROUPS } from '../../packages/cli/dist/client/command-table.js';
import { CliWorld } from '../support/cli.js';

const PAGE = readFileSync(new URL('../../docs/COMMAND-LINE.md', import.meta.url), 'utf8');

let world: CliWorld;
beforeEach(() => {
  world = new CliWorld();
  world.git('config', 'user.name', 'Test');
  world.git('config', 'user.email', 'test@localhost');
});
afterEach(() => world.end());

it('names every command', () => {
  for (const { name } of GROUPS.flatMap(([, commands]) => commands))
    expect(PAGE).toMatch(new RegExp(`\\bmoorage ${name}\\b`));
});

it('has examples that work, from the first to the last', () => {
  const script = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('');
  const strict = `set -euo pipefail\ntouch work.token\n${script}`;
  const ran = spawnSync('bash', ['-c', strict], {
    cwd: world.work,
    env: world.env,
    encoding: 'utf8',
    timeout: 400_000, // a hundred processes, on machines that are shared
  });
  expect({ code: ran.status, last: ran.stderr.slice(-500) }).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain('1 file changed');
  expect(readFileSync(join(world.work, 'session.md'), 'utf8')).toContain('# A greeting');
  expect(readFileSync(join(world.work, 'review.txt'), 'utf8')).toBe('one\ntwo\nthree');
  expect(existsSync(join(world.dataDir, 'host.json'))).toBe(false);
}, 450_000);
