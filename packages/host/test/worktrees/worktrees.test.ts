import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitWorktrees } from '../../src/adapters/worktrees-git/index.js';
import type { WorktreePlan, Worktrees } from '../../src/ports/worktrees.js';

let folder: string;
let work: string;
let worktrees: Worktrees;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-worktrees-')));
  work = join(folder, 'work');
  mkdirSync(work);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(work, 'a.txt'), 'a\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'start');
  worktrees = gitWorktrees({ directory: join(folder, 'trees') });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', work, ...identity, ...args], { encoding: 'utf8' }).trim();
}

async function plan(session = 'ahp-session:/one', more: object = {}): Promise<WorktreePlan> {
  const place = worktrees.place(work, session);
  if (!place) throw new Error('no place');
  return worktrees.plan({ folder: work, place, suggestedBranch: 'ahpd/one', ...more });
}

const nothing = () => {
  expect(readdirSync(worktrees.directory)).toEqual([]);
  expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
  expect(git('branch', '--format=%(refname:short)')).toBe('main');
  expect(existsSync(join(work, '.git', 'worktrees'))).toBe(false);
};

describe('a work tree', () => {
  it('has a place of its own for each session, whatever that is called', () => {
    const paths = ['a', 'b', '../..', 'a/../b', '.', ' '].map(
      (it) => worktrees.place(work, `ahp-session:/${it}`)?.path,
    );
    expect(new Set(paths).size).toBe(6);
    for (const path of paths) expect(basename(path ?? '')).toMatch(/^work-[0-9a-f]{12}$/);
    expect(worktrees.place(folder, 'x')).toBeUndefined();
  });

  it('is made with progress, and removed without a trace', async () => {
    const made = await plan();
    const progress: number[] = [];
    await worktrees.make(made, { onProgress: (percent) => progress.push(percent) });
    expect(progress.at(-1)).toBe(100);
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('a\n');
    expect(await worktrees.remove(made)).toBeUndefined();
    nothing();
    expect(await worktrees.remove(made)).toBeUndefined(); // again, as after a crash
  });

  it('is not made over something that is there', async () => {
    const made = await plan();
    mkdirSync(made.path);
    writeFileSync(join(made.path, 'mine.txt'), 'mine');
    await expect(worktrees.make(made, {})).rejects.toThrow('something at');
    expect(readFileSync(join(made.path, 'mine.txt'), 'utf8')).toBe('mine');
  });
});

describe('what was cut off', () => {
  it.each([
    ['before anything was there', () => undefined],
    ['with a branch alone', () => git('branch', 'ahpd/one')],
    ['with a folder alone', (made: WorktreePlan) => mkdirSync(made.path)],
    [
      'with an entry of the repository that says nothing yet',
      (made: WorktreePlan) => mkdirSync(join(work, '.git', 'worktrees', basename(made.path)), { recursive: true }),
    ],
    [
      'with half of the files and a lock',
      (made: WorktreePlan) => {
        git('worktree', 'add', '--quiet', '-b', 'ahpd/one', made.path);
        rmSync(join(made.path, 'a.txt'));
      },
    ],
  ])('is taken away %s, and can be made then', async (_when, leave) => {
    const made = await plan();
    leave(made);
    await worktrees.discard(made);
    nothing();
    await worktrees.make(made, {});
    expect(existsSync(join(made.path, 'a.txt'))).toBe(true);
  });

  it('leaves a branch alone that has commits by now', async () => {
    const made = await plan();
    git('branch', 'ahpd/one');
    git('update-ref', 'refs/heads/ahpd/one', git('commit-tree', '-m', 'work', '-p', 'HEAD', 'HEAD^{tree}'));
    await worktrees.discard(made);
    expect(git('branch', '--list', 'ahpd/one')).not.toBe('');
  });

  it('leaves the work trees of others alone', async () => {
    const made = await plan();
    git('worktree', 'add', '--quiet', '-b', 'theirs', join(folder, 'theirs'));
    renameSync(join(folder, 'theirs'), join(folder, 'on-a-drive-that-is-away'));
    await worktrees.make(made, {});
    await worktrees.discard(made);
    expect(readdirSync(join(work, '.git', 'worktrees'))).toEqual(['theirs']);
  });
});

describe('a removal that was cut off', () => {
  const aside = (made: WorktreePlan) => join(worktrees.directory, `.removing-${basename(made.path)}`);

  it('goes on after the work tree was moved aside', async () => {
    const made = await plan();
    await worktrees.make(made, {});
    renameSync(made.path, aside(made));
    expect(await worktrees.remove(made)).toBeUndefined();
    nothing();
  });

  it('brings back what was written in the last moment', async () => {
    const made = await plan();
    await worktrees.make(made, {});
    renameSync(made.path, aside(made));
    writeFileSync(join(aside(made), 'late.txt'), 'late');
    expect(await worktrees.remove(made)).toBe('one file is not committed');
    expect(readFileSync(join(made.path, 'late.txt'), 'utf8')).toBe('late');
  });

  it('finishes when the repository has forgotten it already and half of the files are gone', async () => {
    const made = await plan();
    await worktrees.make(made, {});
    renameSync(made.path, aside(made));
    rmSync(join(work, '.git', 'worktrees'), { recursive: true });
    rmSync(join(aside(made), 'a.txt'));
    expect(await worktrees.remove(made)).toBeUndefined();
    nothing();
  });
});
