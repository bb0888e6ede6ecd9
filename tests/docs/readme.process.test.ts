import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { startHostProcess } from '../support/host-process.js';
import { Pty } from '../support/pty.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(`${root}README.md`, 'utf8');

describe('the README', () => {
  it('has an example of host and client that runs as it stands', () => {
    const [example] = blocksOf(README, 'js');
    const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
      cwd: root,
      input: example,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(run).toMatchObject({ status: 0, stdout: 'Hello from the agent\n' });
  });

  it('says how to start, and that is what `npm start` does', () => {
    expect(blocksOf(README, 'sh')[0]).toContain('npm start');
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    expect(scripts.start).toBe('node packages/cli/bin/moorage.js serve --playground');
  });
});

describe('the first five minutes of the README', () => {
  let world: CliWorld;
  const terminals: Pty[] = [];
  beforeEach(() => {
    world = new CliWorld();
    // A newcomer has the commands in the checkout only, and their data where it is by default.
    writeFileSync(join(world.folder, 'bin', 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  });
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) terminal.kill();
    await world.end();
  });

  it('go as they are told', async () => {
    const story = README.slice(README.indexOf('## Your first five minutes'), README.indexOf('## What works'));
    const [run = '', attach = '', kill = '', review = ''] = blocksOf(story, 'sh');
    const share = join(world.folder, '.local', 'share');
    const env = { ...world.env, HOME: world.folder, XDG_DATA_HOME: share };
    const start = async () => {
      world.host = await startHostProcess(['--data-dir', join(share, 'moorage'), '--playground']);
    };
    const terminal = (command: string) => {
      const pty = new Pty('bash', ['-c', command], { cwd: world.work, env });
      terminals.push(pty);
      return pty;
    };

    await start();
    const first = terminal(run);
    await first.sees('hello.txt');
    await first.sees('[y/n');
    const second = terminal(attach);
    await second.sees('[y/n');
    second.type('y\r');
    for (const pty of [first, second]) await pty.sees('Which colour?');

    const [killIt = '', startAgain] = kill.trim().split('\n');
    expect(startAgain).toBe('npm start');
    expect(spawnSync('bash', ['-c', killIt], { env }).status).toBe(0);
    await first.sees('the connection was lost');
    await start();
    await first.sees('connected again');
    first.type('blue\r');
    expect(await first.ended()).toBe(0);

    const reviewed = spawnSync('bash', ['-euo', 'pipefail', '-c', review], { cwd: world.work, env, encoding: 'utf8' });
    expect(reviewed).toMatchObject({ status: 0 });
    expect(reviewed.stdout).toContain('+Hello from an agent');
    expect(reviewed.stdout).toContain('Reverted hello.txt');
    expect(reviewed.stdout).toContain('Revert of hello.txt undone');
    expect(reviewed.stdout).toMatch(/idle .* Colours/);
  });
});

function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}
