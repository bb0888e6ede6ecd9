import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { run } from '../support/run-from-small-process.js';

let bench: ChangesBench;
let uri: string;
afterEach(() => bench.dispose());

async function start(files: Record<string, string>): Promise<void> {
  bench = await ChangesBench.start({
    prepare: (b) => {
      b.commit(files);
      b.git('config', 'user.name', 'Ada');
      b.git('config', 'user.email', 'ada@example.org');
      b.git('config', 'commit.gpgsign', 'false');
    },
  });
  uri = bench.uri({ kind: 'uncommitted' });
}

/** Every entry of the index: its tag, mode, content, stage and flags, but not what git remembers of the file on disk. */
function index(): string[] {
  const flags = bench.git('ls-files', '--debug').matchAll(/flags: ([0-9a-f]+)/g);
  const entries = bench.git('ls-files', '--stage', '-v').trim().split('\n');
  return entries.map((entry) => `${entry} ${flags.next().value?.[1]}`);
}

const committed = () => bench.git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n');

describe.each([['skip-worktree'], ['assume-unchanged']])('a file that git is told to leave alone (%s)', (flag) => {
  const mark = (path: string) => bench.git('update-index', `--${flag}`, path);

  it.each([
    ['is edited', (b: ChangesBench) => b.write('local.cfg', 'mine\n')],
    ['is deleted', (b: ChangesBench) => b.remove('local.cfg')],
  ])('stays in the index and in commits when it %s', async (_what, edit) => {
    await start({ 'a.txt': 'one\n', 'local.cfg': 'shared\n' });
    mark('local.cfg');
    const [, before] = index();
    edit(bench);
    bench.write('a.txt', 'two\n');
    expect((await bench.invoke(uri, 'stage', bench.resource('a.txt'))).message).toBe('Staged a.txt.');
    await bench.invoke(uri, 'undo');
    await bench.invoke(uri, 'stage');
    expect(bench.git('diff', '--cached', '--name-status').trim()).toBe('M\ta.txt');
    expect(index()[1]).toBe(before);
    bench.git('reset', '-q', '--mixed');
    mark('local.cfg');
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect(committed()).toEqual(['a.txt', 'local.cfg']);
    expect(bench.git('show', 'HEAD:local.cfg')).toBe('shared\n');
    expect(index()[1]).toBe(before);
  });

  it('is named when it was asked for, and when it is all there is', async () => {
    await start({ 'local.cfg': 'shared\n' });
    mark('local.cfg');
    bench.write('local.cfg', 'mine\n');
    const before = index();
    for (const [operation, target] of [
      ['stage', bench.resource('local.cfg')],
      ['stage', bench.lines('local.cfg', 0, 0)],
      ['stage', undefined],
      ['commit', undefined],
    ] as const) {
      const { message } = await bench.refused(uri, operation, target, { 'moorage.what': 'all' });
      expect(message).toContain(`local.cfg is marked ${flag}`);
      expect(message).toContain(`git update-index --no-${flag}`);
    }
    expect(index()).toEqual(before);
  });

  it('keeps its mark when its staged change is taken out, and when that is undone', async () => {
    await start({ 'local.cfg': 'shared\n' });
    bench.write('local.cfg', 'mine\n');
    bench.git('add', 'local.cfg');
    mark('local.cfg');
    const before = index();
    await bench.invoke(uri, 'unstage');
    expect(bench.git('diff', '--cached', '--name-only')).toBe('');
    expect(index()[0]?.[0]).toBe(before[0]?.[0]);
    await bench.invoke(uri, 'undo');
    expect(index()).toEqual(before);
  });
});

describe('a file that is only intended to be added', () => {
  it('is intended to be added again after an undo, also if it is gone by then', async () => {
    await start({ 'a.txt': 'one\n' });
    bench.write('new/run.sh', 'new\n');
    chmodSync(join(bench.folder, 'new/run.sh'), 0o755);
    bench.git('add', '--intent-to-add', 'new/run.sh');
    const before = index();
    await bench.invoke(uri, 'stage');
    expect(bench.git('show', ':new/run.sh')).toBe('new\n');
    bench.remove('new');
    await bench.invoke(uri, 'undo');
    expect(index()).toEqual(before);
  });

  it('does not count as staged', async () => {
    await start({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    bench.write('new.txt', 'new\n');
    bench.write('a.txt', 'two\n');
    bench.git('add', '--intent-to-add', 'new.txt');
    await bench.operation(uri, 'unstage', 'disabled');
    bench.git('add', 'a.txt');
    await bench.operation(uri, 'unstage', 'idle');
    await bench.invoke(uri, 'unstage');
    expect(bench.git('status', '--porcelain').trim().split('\n')).toEqual(['M a.txt', ' A new.txt']);
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect(bench.git('show', 'HEAD:new.txt')).toBe('new\n');
  });

  it('is as before when git refuses the commit', async () => {
    await start({ 'a.txt': 'one\n' });
    bench.write('new.txt', 'new\n');
    bench.git('add', '--intent-to-add', 'new.txt');
    mkdirSync(join(bench.folder, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(bench.folder, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const before = index();
    await bench.refused(uri, 'commit');
    expect(index()).toEqual(before);
  });
});

describe('a file with a conflict', () => {
  const conflict = () => {
    bench.git('checkout', '-q', '-b', 'other');
    bench.commit({ 'a.txt': 'theirs\n' });
    bench.git('checkout', '-q', 'main');
    bench.commit({ 'a.txt': 'ours\n' });
    expect(() => bench.git('merge', '-q', 'other')).toThrow();
  };

  it('is not touched by stage, unstage and commit', async () => {
    await start({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    conflict();
    bench.write('b.txt', 'c\n');
    bench.git('add', 'b.txt');
    bench.write('b.txt', 'd\n');
    const before = index();
    expect(before.filter((entry) => entry.includes('a.txt'))).toHaveLength(3);
    for (const [operation, target] of [
      ['stage', bench.resource('a.txt')],
      ['stage', undefined],
      ['unstage', bench.resource('a.txt')],
      ['commit', undefined],
    ] as const) {
      const { message } = await bench.refused(uri, operation, target);
      expect(message, operation).toMatch(/a\.txt has a conflict.*git add/);
    }
    expect(index()).toEqual(before);
    await bench.invoke(uri, 'stage', bench.resource('b.txt'));
    await bench.invoke(uri, 'undo');
    await bench.invoke(uri, 'unstage');
    expect(index().filter((entry) => entry.includes('a.txt'))).toHaveLength(3);
    await bench.invoke(uri, 'undo');
    expect(index()).toEqual(before);
  });

  it('is not touched by an undo of what was staged before', async () => {
    await start({ 'a.txt': 'one\n' });
    bench.write('new.txt', 'new\n');
    await bench.invoke(uri, 'stage', bench.resource('new.txt'));
    bench.git('rm', '-q', '--cached', 'new.txt');
    const id = bench.git('hash-object', '-w', 'new.txt').trim();
    const stages = [1, 2, 3].map((stage) => `100644 ${id} ${stage}\tnew.txt\n`).join('');
    run('git', ['update-index', '--index-info'], { cwd: bench.folder, input: stages });
    const before = index();
    expect((await bench.refused(uri, 'undo')).message).toContain('new.txt has a conflict');
    expect(index()).toEqual(before);
  });

  it('that was staged with its markers is committed only by someone who was asked', async () => {
    await start({ 'a.txt': 'one\n', 'b.md': 'Install\n=======\n' });
    conflict();
    bench.git('add', 'a.txt');
    const head = bench.git('rev-parse', 'HEAD');
    const { message } = await bench.refused(uri, 'commit');
    expect(message).toContain('a.txt');
    expect(message).toContain('conflict markers');
    expect(bench.git('rev-parse', 'HEAD')).toBe(head);
    expect(bench.git('rev-parse', 'MERGE_HEAD')).toBe(bench.git('rev-parse', 'other'));
    bench.write('a.txt', 'both\n');
    bench.git('add', 'a.txt');
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect(bench.git('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
  });

  it('whose markers are old does not keep anyone from committing', async () => {
    const markers = '<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n';
    await start({ 'about-conflicts.md': markers });
    bench.write('about-conflicts.md', `${markers}more\n`);
    await bench.invoke(uri, 'commit', undefined, { 'moorage.what': 'all' });
    expect(bench.git('status', '--porcelain')).toBe('');
  });
});
