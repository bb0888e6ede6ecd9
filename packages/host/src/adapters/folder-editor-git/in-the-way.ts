import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { each } from '../../queues/each.js';
import { type Git, GitRefusal } from '../shared/git/git.js';
import { MAX_PATH_ARGUMENTS } from './index-entries.js';
import { parentsOf } from './paths.js';

/**
 * Files of a work tree that a merge of a branch would write over without a word: those that git ignores, and those that
 * the user told git not to look at. Git itself refuses for all others.
 */
export async function findInTheWay(git: Git, workTree: string, branch: string): Promise<string[]> {
  const run = (args: readonly string[]) =>
    git.run(args, { cwd: workTree, env: { GIT_LITERAL_PATHSPECS: '1' } }).then((output) => records(output.toString()));
  const changed = await changedPaths(git, workTree, branch);
  if (changed.length === 0) return [];
  const tracked = new Map((await run(['ls-files', '-v', '-z'])).map((record) => [record.slice(2), record[0] ?? '']));
  const found = await each(changed, async (path): Promise<string[]> => {
    const tag = tracked.get(path);
    if (tag !== undefined) return isUnwatched(tag) && (await kindOf(workTree, path)) !== undefined ? [path] : [];
    for (const parent of parentsOf(path)) {
      const kind = await kindOf(workTree, parent);
      if (kind === undefined) return [];
      if (kind === 'file') return tracked.has(parent) ? [] : [parent];
    }
    const kind = await kindOf(workTree, path);
    return kind === 'folder' ? [`${path}/`] : kind === 'file' ? [path] : [];
  });
  const all = [...new Set(found.flat())];
  const inFolders: string[] = [];
  const folders = all.flatMap((path) => (path.endsWith('/') ? [path.slice(0, -1)] : []));
  for (let at = 0; at < folders.length; at += MAX_PATH_ARGUMENTS)
    inFolders.push(...(await run(['ls-files', '--others', '-z', '--', ...folders.slice(at, at + MAX_PATH_ARGUMENTS)])));
  return [...all.filter((path) => !path.endsWith('/')), ...inFolders];
}

/** The paths that the merge changes, creates or removes. Older gits cannot say what comes of renamed folders. */
async function changedPaths(git: Git, workTree: string, branch: string): Promise<string[]> {
  const list = async (from: string, to: string) => {
    const listed = await git.run(['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', from, to], {
      cwd: workTree,
    });
    return records(listed.toString());
  };
  try {
    const merged = await git.run(['merge-tree', '--write-tree', '--name-only', '-z', 'HEAD', branch], {
      cwd: workTree,
      accept: [1], // there are conflicts, which the merge itself reports
    });
    return await list('HEAD', records(merged.toString())[0] ?? '');
  } catch (error) {
    if (!(error instanceof GitRefusal)) throw error;
    const base = (await git.run(['merge-base', 'HEAD', branch], { cwd: workTree })).toString().trim();
    return list(base, branch);
  }
}

async function kindOf(workTree: string, path: string): Promise<'file' | 'folder' | undefined> {
  const found = await lstat(join(workTree, path)).catch(() => undefined);
  return found && (found.isDirectory() ? 'folder' : 'file');
}

/** Git's tag is S for skip-worktree, and in lower case for assume-unchanged. */
function isUnwatched(tag: string): boolean {
  return tag === 'S' || tag !== tag.toUpperCase();
}

function records(output: string): string[] {
  return output.split('\0').filter(Boolean);
}
