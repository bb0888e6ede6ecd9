import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';
import { gitIn } from '../support/repository.js';

let world: CliWorld;
beforeAll(async () => {
  world = new CliWorld();
  world.git('branch', 'develop');
  await world.serve();
});
afterAll(() => world.end());

const worktrees = () => readdirSync(join(world.dataDir, 'worktrees'));

describe('moorage run', () => {
  it('--worktree works in a work tree of its own, on a branch that it names', async () => {
    const ran = await world.moorage(
      'run',
      '--yes',
      '--worktree',
      '--branch',
      'try/one',
      '--base',
      'develop',
      '/write a.txt x',
    );
    expect(ran).toMatchObject({ code: 0 });
    const path = join(world.dataDir, 'worktrees', worktrees()[0] ?? '');
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
    expect(existsSync(join(world.work, 'a.txt'))).toBe(false);
    expect(gitIn(path, 'symbolic-ref', '--short', 'HEAD')).toBe('try/one');
    const shown = await world.moorage('show');
    expect(shown.out).toContain('try/one, from develop');
    expect((await world.moorage('diff')).out).toContain('a.txt');
    expect((await world.moorage('ls', '--here', '--json')).out).toContain(path);
  });

  it('--set puts values to what the host offers, and rm says what becomes of the work tree', async () => {
    const set = ['--set', 'isolation=worktree', '--set', 'worktreeOnEnd=remove-if-clean'];
    const before = worktrees();
    const ran = await world.moorage('run', '--yes', '--detach', ...set, '/say hello');
    expect(ran).toMatchObject({ code: 0 });
    const id = ran.out.trim();
    await world.chatHas(id, 'hello');
    const removed = await world.moorage('rm', id, '--yes');
    expect(removed).toMatchObject({ code: 0, err: expect.stringContaining('is removed too') });
    await expect.poll(worktrees, { timeout: 20_000 }).toEqual(before);
    const kept = await world.moorage('run', '--yes', '--json', ...set, '/write b.txt x');
    const { session } = JSON.parse(kept.out.trim().split('\n').at(-1) ?? '').result;
    const told = await world.moorage('rm', session, '--yes', '--json');
    expect(JSON.parse(told.out).worktrees).toMatchObject([{ kept: true, reason: 'one file is not committed' }]);
  });

  it.each([
    [['--base', 'nowhere', '--worktree'], 1, 'There is no branch "nowhere"'],
    [['--branch', 'main'], 1, 'already exists'],
    [['--set', 'isolation=cloud'], 1, 'expected one of workspace, worktree'],
    [['--set', 'unheard=1'], 1, 'there is no setting "unheard" here; there are: isolation, baseBranch'],
    [['--set', 'nonsense'], 2, 'expected KEY=VALUE'],
  ])('refuses %j and creates nothing', async (args, code, hint) => {
    const before = (await world.moorage('ls', '--json')).out;
    const ran = await world.moorage('run', ...args, '/say hello');
    expect(ran).toMatchObject({ code, err: expect.stringContaining(hint) });
    expect((await world.moorage('ls', '--json')).out).toBe(before);
  });
});
