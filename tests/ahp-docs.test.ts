import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMMANDS } from '../packages/cli/dist/ahp/command-table.js';
import { AhpWorld } from './support/ahp.js';

const PAGE = readFileSync(new URL('../docs/AHP.md', import.meta.url), 'utf8');

let world: AhpWorld;
beforeEach(() => {
  world = new AhpWorld();
  world.git('config', 'user.name', 'Test');
  world.git('config', 'user.email', 'test@localhost');
});
afterEach(() => world.end());

it('names every command', () => {
  for (const { name } of COMMANDS) expect(PAGE).toMatch(new RegExp(`\\bahp ${name}\\b`));
});

it('has examples that work, from the first to the last', () => {
  const script = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('');
  const strict = `set -euo pipefail\ntouch work.token\n${script}`;
  const ran = spawnSync('bash', ['-c', strict], {
    cwd: world.work,
    env: world.env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect({ code: ran.status, last: ran.stderr.slice(-500) }).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain('1 file changed');
  expect(readFileSync(join(world.work, 'session.md'), 'utf8')).toContain('# A greeting');
  expect(readFileSync(join(world.work, 'review.txt'), 'utf8')).toBe('one\ntwo\nthree');
  expect(existsSync(join(world.dataDir, 'host.json'))).toBe(false);
}, 150_000);
