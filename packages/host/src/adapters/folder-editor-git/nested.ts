import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { NestedRepositories } from '../../ports/nested-repositories.js';
import type { Git } from '../shared/git/git.js';
import { pathProblem } from './paths.js';

export function nestedRepositories(git: Git, folder: string): NestedRepositories {
  return {
    head: (path) => nestedHead(git, folder, path),
    move: (path, from, to) => moveNested(git, folder, path, from, to),
  };
}

async function nestedHead(git: Git, folder: string, path: string): Promise<string | undefined> {
  if (pathProblem(path) || !(await isRepository(join(folder, path)))) return undefined;
  return git.ask(['rev-parse', '--verify', '--quiet', 'HEAD'], join(folder, path));
}

/** Checks out another commit. No branch of the nested repository moves, so no commit can get lost. */
async function moveNested(git: Git, folder: string, path: string, from: string, to: string): Promise<void> {
  if ((await nestedHead(git, folder, path)) !== from)
    throw new FolderEditError('refused', `${path} is at another commit now; nothing was changed`);
  const cwd = join(folder, path);
  const changes = await git.run(['status', '--porcelain'], { cwd });
  if (changes.length > 0)
    throw new FolderEditError(
      'refused',
      `${path} is a repository with changes that are not committed; nothing was changed`,
    );
  // Returns to the branch it was on before, if that branch is still at the commit.
  const [previous, branch] = [
    await git.ask(['rev-parse', '--verify', '--quiet', '@{-1}'], cwd),
    await git.ask(['rev-parse', '--abbrev-ref', '@{-1}'], cwd),
  ];
  const target = previous === to && branch && branch !== 'HEAD' ? [branch] : ['--detach', to];
  await git.run(['checkout', '--quiet', ...target], { cwd }).catch((cause: unknown) => {
    throw new FolderEditError('refused', `${to.slice(0, 12)} cannot be checked out in ${path}; nothing was changed`, {
      cause,
    });
  });
}

async function isRepository(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, '.git')).catch(() => undefined);
  return found !== undefined;
}
