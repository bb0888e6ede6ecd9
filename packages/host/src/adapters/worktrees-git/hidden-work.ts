import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { WorktreePlan } from '../../ports/worktrees.js';
import type { Git } from '../shared/git/git.js';
import { inside, run } from './ask.js';
import { MAX_SEARCHED_FOLDERS } from './limits.js';

/** Work in a work tree that `git status` and branches do not show; completes "it is kept because". */
export async function hiddenWork(
  git: Git,
  plan: WorktreePlan,
  workTree: string,
  admin: string,
): Promise<string | undefined> {
  return (
    (await unwatchedFile(git, workTree, admin)) ??
    (await reflogOnly(git, plan, admin)) ??
    (await nestedRepository(workTree))
  );
}

/** A file that is there although git is told not to look at it. Whether it has changed, nobody knows. */
async function unwatchedFile(git: Git, workTree: string, admin: string): Promise<string | undefined> {
  const listed = await run(git, [`--git-dir=${admin}`, `--work-tree=${workTree}`, 'ls-files', '-v', '-z'], {
    cwd: workTree,
  });
  const marked = listed.split('\0').filter((record) => /^[Sa-z] /.test(record));
  for (const record of marked) {
    const path = record.slice(2);
    const isAbsent = await lstat(join(workTree, path)).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
    );
    if (!isAbsent) return `git is told not to look at ${path}, which may have changed`;
  }
  return undefined;
}

/** Commits that its HEAD or its branch once had: their reflogs go with the work tree. */
async function reflogOnly(git: Git, { repository, branch }: WorktreePlan, admin: string): Promise<string | undefined> {
  const logs = [join(admin, 'logs', 'HEAD'), join(repository, 'logs', 'refs', 'heads', branch)];
  const texts = await Promise.all(logs.map((log) => readFile(log, 'utf8').catch(() => '')));
  const commits = new Set(texts.flatMap((text) => [...text.matchAll(/^[0-9a-f]+ ([0-9a-f]+) /gm)].map(([, id]) => id)));
  if (commits.size === 0) return undefined;
  const elsewhere = ['--not', `--exclude=refs/heads/${branch}`, '--branches', '--remotes', '--tags'];
  const found = await run(git, ['rev-list', '--max-count=1', '--ignore-missing', '--stdin', ...elsewhere], {
    ...inside(repository),
    input: [...commits].map((id) => `${id}\n`).join(''),
  });
  return found === '' ? undefined : `commits that it had are only in the reflog, such as ${found.slice(0, 12)}`;
}

/** A repository below the work tree, usually in an ignored folder. Its history may be nowhere else. */
async function nestedRepository(workTree: string): Promise<string | undefined> {
  const folders = [workTree];
  for (let searched = 0; searched < folders.length; searched++) {
    if (searched === MAX_SEARCHED_FOLDERS) return 'it has too many folders to search them for repositories';
    const folder = folders[searched] ?? '';
    const entries = await readdir(folder, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const isRepository = names.has('.git') || ['HEAD', 'objects', 'refs'].every((name) => names.has(name));
    if (isRepository && folder !== workTree) return `${relative(workTree, folder)} is a repository of its own`;
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== '.git') folders.push(join(folder, entry.name));
    }
  }
  return undefined;
}
