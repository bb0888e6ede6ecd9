import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliWorld } from '../support/cli.js';

let world: CliWorld;
beforeEach(async () => {
  world = new CliWorld();
  await world.serve();
  for (const name of ['api', 'web']) {
    mkdirSync(join(world.work, name));
    writeFileSync(join(world.work, name, 'a.txt'), 'old\n');
  }
});
afterEach(() => world.end());

const file = (path: string) => join(world.work, path);

it('moorage run --add-folder works in both folders; diff, revert and undo know both', async () => {
  const run = await world.moorage(
    'run',
    '-C',
    'api',
    '--add-folder',
    'web',
    '--yes',
    `/write a.txt new\n/write ${file('web/a.txt')} new`,
  );
  expect(run.code).toBe(0);
  expect(run.out).toContain(file('web/a.txt'));
  const { out } = await world.moorage('ls', '--json');
  const id = /ahp-session:\/([0-9a-f-]+)/.exec(out)?.[1] ?? '';
  expect((await world.moorage('show', id)).out).toContain(`${file('api')}, ${file('web')}`);
  expect((await world.moorage('diff', id, '--stat')).out).toContain('2 files changed');
  await world.moorage('revert', id, '--session', '--yes');
  const contents = () => ['api', 'web'].map((name) => readFileSync(file(`${name}/a.txt`), 'utf8'));
  expect(contents()).toEqual(['old\n', 'old\n']);
  await world.moorage('undo', '--folder', 'web');
  expect(contents()).toEqual(['new', 'new']);
  const refused = await world.moorage('run', '-C', '.', '--add-folder', 'web', '--yes', '/say hello');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is inside')]);
});

it('moorage diff A B shows how two sessions differ', async () => {
  const first = await world.session('/write api/a.txt first\n/write one.txt one');
  const second = await world.session('/write api/a.txt second');
  const { out } = await world.moorage('diff', first, second);
  expect(out).toContain('-first');
  expect(out).toContain('+second');
  expect(out).toContain('diff --git a/one.txt b/one.txt\ndeleted file');
  expect((await world.moorage('diff', first, second, '--stat')).out).toContain('2 files changed');
  expect((await world.moorage('diff', first, second, '--file', 'one.txt', '--stat')).out).toContain('1 file changed');
  expect(await world.moorage('diff', first, second, '--blame')).toMatchObject({ code: 2 });
});

it('moorage fixup puts a file into an earlier commit, and moorage undo takes that back', async () => {
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'First');
  writeFileSync(file('b.txt'), 'b\n');
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'Second');
  world.git('branch', '-m', 'work');
  const id = await world.session('/write api/a.txt new');
  const first = world.git('rev-parse', '--short', 'HEAD~1').trim();
  expect(await world.moorage('fixup', first, id, '--yes')).toMatchObject({ code: 2 });
  const { code, out } = await world.moorage('fixup', first, id, '--file', 'api/a.txt', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining(`Put api/a.txt into ${first}`)]);
  expect(world.git('show', 'HEAD~1:api/a.txt').trim()).toBe('new');
  await world.moorage('undo');
  expect(world.git('show', 'HEAD~1:api/a.txt').trim()).toBe('old');
});

it('moorage split makes two commits of one, and moorage undo takes that back', async () => {
  world.git('branch', '-m', 'work');
  writeFileSync(file('b.txt'), 'b\n');
  writeFileSync(file('c.txt'), 'c\n');
  world.git('add', 'b.txt', 'c.txt');
  world.git('commit', '--quiet', '-m', 'Both');
  const head = world.git('rev-parse', 'HEAD');
  const id = await world.session('/say hello');
  const split = (...args: string[]) => world.moorage('split', head.trim().slice(0, 7), id, ...args);
  expect(await split('-m', 'B', '--yes')).toMatchObject({ code: 2 });
  expect(await split('--file', 'b.txt', '--yes')).toMatchObject({ code: 2 });
  expect(await split('--file', 'nothing.txt', '-m', 'B', '--yes')).toMatchObject({ code: 2 });
  const { code, out } = await split('--file', 'b.txt', '-m', 'B', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('has b.txt')]);
  expect(world.git('log', '-2', '--format=%s', '--name-only').match(/\S+/g)).toEqual(['Both', 'c.txt', 'B', 'b.txt']);
  await world.moorage('undo');
  expect(world.git('rev-parse', 'HEAD')).toBe(head);
});
