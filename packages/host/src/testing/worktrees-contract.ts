import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorktreeError, type WorktreePlan, type Worktrees } from '../ports/worktrees.js';
import { useRepository } from './user-repository.js';

/** The adapter under test, and what a crash of it can leave behind. */
export interface WorktreesUnderTest {
  /** Makes work trees below this folder. */
  make(directory: string): Worktrees;
  /** Where an interrupted removal has moved the work tree to. */
  movedAside(plan: WorktreePlan): string;
}

/** The contract of Worktrees, as a vitest suite. */
export function describeWorktrees(name: string, { make, movedAside }: WorktreesUnderTest): void {
  describe(`${name} is a Worktrees`, () => {
    const user = useRepository();
    const { git } = user;
    let worktrees: Worktrees;
    beforeEach(() => {
      user.commit({ 'a.txt': 'a\n' });
      worktrees = make(join(user.base, 'trees'));
    });

    const plan = async (more: object = {}): Promise<WorktreePlan> => {
      const place = worktrees.place(user.folder, 'ahp-session:/one');
      if (!place) throw new Error('no place');
      return worktrees.plan({ folder: user.folder, place, suggestedBranch: 'moorage/one', ...more });
    };
    const made = async (): Promise<WorktreePlan> => {
      const planned = await plan();
      await worktrees.make(planned, {});
      return planned;
    };
    const expectNothing = () => {
      expect(readdirSync(worktrees.directory)).toEqual([]);
      expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
      expect(git('branch', '--format=%(refname:short)')).toBe('main');
      expect(existsSync(join(user.folder, '.git', 'worktrees'))).toBe(false);
    };

    it('has a place for each session, whatever its URI, and none without a repository', () => {
      const sessions = ['a', 'b', '../..', 'a/../b', '.', ' '];
      const paths = sessions.map((session) => worktrees.place(user.folder, `ahp-session:/${session}`)?.path ?? '');
      expect(new Set(paths).size).toBe(sessions.length);
      for (const path of paths) expect(dirname(path)).toBe(worktrees.directory);
      expect(worktrees.place(user.base, 'x')).toBeUndefined();
    });

    it('reports what a work tree can start from, and why none can be made', async () => {
      git('branch', 'topic/one');
      git('branch', 'topic/two');
      expect(await worktrees.summarize(user.folder)).toEqual({ branch: 'main' });
      expect((await worktrees.branches(user.folder, '', 2))[0]).toEqual({ name: 'main', remote: false, current: true });
      const found = await worktrees.branches(user.folder, 'TWO', 5);
      expect(found.map((branch) => branch.name)).toEqual(['topic/two']);
      expect(await worktrees.branches(user.folder, 'topic', 1)).toHaveLength(1);
      expect((await worktrees.summarize(user.base)).problem).toEqual(expect.any(String));
    });

    it('plans free names, rejects others, and changes nothing', async () => {
      git('branch', 'moorage/one');
      const planned = await plan();
      expect(planned).toMatchObject({ branch: 'moorage/one-2', baseBranch: 'main', commit: git('rev-parse', 'main') });
      for (const wrong of [{ branchName: 'main' }, { branchName: '-d' }, { baseBranch: 'no-such-branch' }])
        await expect(plan(wrong)).rejects.toThrow(WorktreeError);
      git('branch', '-D', 'moorage/one');
      expectNothing();
    });

    it('makes a work tree with progress, and removes it without a trace', async () => {
      const planned = await plan();
      const progress: number[] = [];
      await worktrees.make(planned, { onProgress: (percent) => progress.push(percent) });
      expect(progress.at(-1)).toBe(100);
      expect(readFileSync(join(planned.path, 'a.txt'), 'utf8')).toBe('a\n');
      expect(await worktrees.remove(planned)).toBeUndefined();
      expectNothing();
      expect(await worktrees.remove(planned), 'again, as after a crash').toBeUndefined();
    });

    it('replaces nothing that exists, and leaves nothing behind when aborted', async () => {
      const planned = await plan();
      await expect(worktrees.make(planned, { signal: AbortSignal.abort() })).rejects.toThrow(WorktreeError);
      expectNothing();
      mkdirSync(planned.path);
      writeFileSync(join(planned.path, 'mine.txt'), 'mine');
      await expect(worktrees.make(planned, {})).rejects.toThrow(WorktreeError);
      expect(readFileSync(join(planned.path, 'mine.txt'), 'utf8')).toBe('mine');
    });

    it('removes no work tree with unsaved work, and says what that is', async () => {
      const planned = await made();
      const [file, inside] = [join(planned.path, 'new.txt'), ['-C', planned.path] as const];
      writeFileSync(file, 'new');
      const refuses = async (why: string) => {
        expect(await worktrees.unsaved(planned)).toContain(why);
        expect(await worktrees.remove(planned)).toContain(why);
        expect(readFileSync(file, 'utf8')).toBe('new');
      };
      await refuses('not committed');
      git(...inside, 'add', '.');
      git(...inside, 'commit', '--quiet', '-m', 'work');
      await refuses('moorage/one');
      git('merge', '--quiet', '--ff-only', 'moorage/one');
      expect(await worktrees.unsaved(planned)).toBeUndefined();
      expect(await worktrees.remove(planned)).toBeUndefined();
      expectNothing();
    });

    describe('an interrupted make', () => {
      it.each<[string, (planned: WorktreePlan) => unknown]>([
        ['before anything was there', () => undefined],
        ['with a branch alone', () => git('branch', 'moorage/one')],
        ['with a folder alone', ({ path }) => mkdirSync(path)],
        [
          'with an empty entry in the repository',
          ({ path }) => mkdirSync(join(user.folder, '.git', 'worktrees', basename(path)), { recursive: true }),
        ],
        [
          'with half of the files',
          ({ path }) => {
            git('worktree', 'add', '--quiet', '-b', 'moorage/one', path);
            rmSync(join(path, 'a.txt'));
          },
        ],
      ])('is discarded %s, and can then be made', async (_when, leave) => {
        const planned = await plan();
        leave(planned);
        await worktrees.discard(planned);
        expectNothing();
        await worktrees.make(planned, {});
        expect(existsSync(join(planned.path, 'a.txt'))).toBe(true);
      });

      it('keeps a branch that has commits by now', async () => {
        const planned = await plan();
        git('branch', 'moorage/one');
        git('update-ref', 'refs/heads/moorage/one', git('commit-tree', '-m', 'work', '-p', 'HEAD', 'HEAD^{tree}'));
        await worktrees.discard(planned);
        expect(git('branch', '--list', 'moorage/one')).not.toBe('');
      });

      it('does not touch other work trees', async () => {
        const planned = await plan();
        const theirs = join(user.base, 'theirs');
        git('worktree', 'add', '--quiet', '-b', 'theirs', theirs);
        renameSync(theirs, join(user.base, 'on-a-drive-that-is-away'));
        await worktrees.make(planned, {});
        await worktrees.discard(planned);
        expect(readdirSync(join(user.folder, '.git', 'worktrees'))).toEqual(['theirs']);
      });
    });

    describe('an interrupted removal', () => {
      const cutOff = async () => {
        const planned = await made();
        renameSync(planned.path, movedAside(planned));
        return planned;
      };

      it('continues after the work tree was moved aside', async () => {
        expect(await worktrees.remove(await cutOff())).toBeUndefined();
        expectNothing();
      });

      it('restores a work tree with files written at the last moment', async () => {
        const planned = await cutOff();
        writeFileSync(join(movedAside(planned), 'late.txt'), 'late');
        expect(await worktrees.remove(planned)).toContain('not committed');
        expect(readFileSync(join(planned.path, 'late.txt'), 'utf8')).toBe('late');
      });

      it('completes when the repository has already forgotten it and half of the files are gone', async () => {
        const planned = await cutOff();
        rmSync(join(user.folder, '.git', 'worktrees'), { recursive: true });
        rmSync(join(movedAside(planned), 'a.txt'));
        expect(await worktrees.remove(planned)).toBeUndefined();
        expectNothing();
      });
    });
  });
}
