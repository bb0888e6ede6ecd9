import { FolderEditError } from '../../ports/folder-editor.js';
import type { Git } from '../shared/git/git.js';
import { localName } from './branches.js';
import { repositoryFacts } from './facts.js';
import { findInTheWay } from './in-the-way.js';
import { unfinishedIn } from './unfinished.js';
import { runAsUser } from './user-git.js';

/** Merges a linked work tree's branch into its base branch, where that is checked out. A conflict leaves both unchanged. */
export async function mergeBack(git: Git, folder: string, baseName: string): Promise<string> {
  const { branch } = await repositoryFacts(git, folder);
  const base = localName(baseName);
  if (!branch || branch === base) throw new FolderEditError('refused', 'there is no branch to merge back');
  const workTree = await checkedOut(git, folder, base);
  if (workTree && (await commonFolder(git, workTree)) !== (await commonFolder(git, folder)))
    throw new FolderEditError('refused', `${workTree} is not a work tree of the same repository; nothing was changed`);
  if (workTree) await mergeIn(git, workTree, branch, base);
  else await fastForward(git, folder, branch, base);
  return base;
}

/** The base branch is checked out nowhere, so it can only be fast-forwarded. */
async function fastForward(git: Git, folder: string, branch: string, base: string): Promise<void> {
  const fetch = ['fetch', '--quiet', '.', `refs/heads/${branch}:refs/heads/${base}`];
  await runAsUser(git, 'git', fetch, folder).catch((cause: unknown) => {
    throw new FolderEditError('refused', `${base} has new commits; check it out in a work tree to merge`, { cause });
  });
}

async function mergeIn(git: Git, workTree: string, branch: string, base: string): Promise<void> {
  const notMerged = (why: string, cause?: unknown) =>
    new FolderEditError('refused', `${branch} could not be merged into ${base}: ${why}`, { cause });
  const unfinished = await unfinishedIn(git, workTree);
  if (unfinished)
    throw new FolderEditError('refused', `a ${unfinished} is not finished in ${workTree}; finish or abort it first`);
  const [inTheWay, ...more] = await findInTheWay(git, workTree, `refs/heads/${branch}`);
  if (inTheWay !== undefined) {
    const others = more.length > 0 ? ` (and ${more.length} more)` : '';
    throw notMerged(
      `${inTheWay} is in the way in ${workTree}${others}; git would write over it, so move it away first`,
    );
  }
  try {
    await runAsUser(git, 'git', [...MERGE, `refs/heads/${branch}`], workTree);
  } catch (cause) {
    const hasBegun = (await unfinishedIn(git, workTree)) === 'merge';
    const files = hasBegun ? await runAsUser(git, 'git', ['diff', '--name-only', '--diff-filter=U'], workTree) : '';
    if (hasBegun) await runAsUser(git, 'git', ['merge', '--abort'], workTree);
    throw notMerged(files ? `conflicts in ${files.split('\n').join(', ')}` : (cause as Error).message, cause);
  }
  // Said only if it is so: the user's settings and hooks may have made something else of it.
  const missing = await git.ask(['rev-list', '--max-count=1', `refs/heads/${branch}`, '--not', 'HEAD'], workTree);
  if (missing !== undefined || (await unfinishedIn(git, workTree))) throw notMerged(`see git status in ${workTree}`);
}

/** Explicit where settings could make git stash local changes, which can end in conflict markers, or not commit. */
const MERGE = ['merge', '--quiet', '--no-edit', '--no-autostash', '--commit', '--no-squash'];

/** An agent could list a folder of another repository as a work tree of this one. */
function commonFolder(git: Git, workTree: string): Promise<string> {
  return runAsUser(git, 'git', ['rev-parse', '--path-format=absolute', '--git-common-dir'], workTree);
}

/** Not through `runAsUser`, which keeps only the end of a long list. */
async function checkedOut(git: Git, folder: string, branch: string): Promise<string | undefined> {
  const listed = (await git.run(['worktree', 'list', '--porcelain'], { cwd: folder })).toString();
  const entry = listed.split('\n\n').find((text) => text.split('\n').includes(`branch refs/heads/${branch}`));
  return entry?.match(/^worktree (.*)$/m)?.[1];
}
