import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SUBMODULE } from '../../ports/file-modes.js';
import type { WorktreePlan } from '../../ports/worktrees.js';
import type { Git } from '../shared/git/git.js';
import { inPlainView } from '../shared/git/plain-view.js';
import type { Scratch } from '../shared/git/scratch.js';
import { Admin, exists } from './admin.js';
import { ask, commitOf, inside, run } from './ask.js';
import { hiddenWork } from './hidden-work.js';

/** Why a work tree must stay; completes a sentence that begins "it is kept because". Undefined if it may be removed. */
export async function unsavedWork(
  git: Git,
  plan: WorktreePlan,
  scratch: Scratch,
  workTree = plan.path,
): Promise<string | undefined> {
  if (!(await exists(workTree))) return undefined;
  const admin = await new Admin(plan).folder(workTree);
  if (admin === undefined) return 'it is no longer a work tree of the repository';
  for (const [file, why] of KEEP_REASONS) if (await exists(join(admin, file))) return why;
  const at = [`--git-dir=${admin}`, `--work-tree=${workTree}`];
  // Git would start another one in a nested repository, with the settings and filters of that one.
  if (await hasNested(git, at, workTree)) return 'it has submodules';
  const status = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const viewed = { folder: workTree, scratch, known: { top: workTree, gitFolder: admin } };
  const changes = (await inPlainView(git, viewed, (view) => view(status))).toString().trim();
  const count = changes === '' ? 0 : changes.split('\n').length;
  if (count > 0) return `${count === 1 ? 'one file is' : `${count} files are`} not committed`;
  const head = await ask(git, [...at, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], workTree);
  if (head === undefined) return 'its commit cannot be read';
  const tip = await commitOf(git, `refs/heads/${plan.branch}`, inside(plan.repository));
  for (const commit of new Set([head, ...(tip === undefined ? [] : [tip])])) {
    if (!(await isElsewhere(git, plan, commit))) return `commits of the branch ${plan.branch} are nowhere else`;
  }
  return hiddenWork(git, plan, workTree, admin);
}

/** Files in the repository's folder for a work tree that mean that the work tree must be kept. */
const KEEP_REASONS: readonly (readonly [string, string])[] = [
  ['locked', 'it is locked'],
  ['modules', 'it has submodules'],
  ['refs/worktree', 'it has references of its own'],
  ['MERGE_HEAD', 'a merge is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase is in progress'],
  ['BISECT_LOG', 'a bisection is in progress'],
  ['index.lock', 'a git command is running in it'],
];

/** Whether there are repositories in the work tree that its own one knows as submodules. */
async function hasNested(git: Git, at: readonly string[], workTree: string): Promise<boolean> {
  const listed = await run(git, [...at, 'ls-files', '--stage', '-z'], { cwd: workTree });
  const paths = listed
    .split('\0')
    .flatMap((entry) => new RegExp(`^${SUBMODULE}[^\t]*\t(.*)$`, 's').exec(entry)?.[1] ?? []);
  for (const path of paths) if (await exists(join(workTree, path, '.git'))) return true;
  return false;
}

/** Whether another branch, a remote branch or a tag contains a commit. */
async function isElsewhere(git: Git, { repository, branch }: WorktreePlan, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=2', `--contains=${commit}`, '--format=%(refname)'];
  const references = await run(git, [...args, 'refs/heads', 'refs/remotes', 'refs/tags'], inside(repository));
  return references.split('\n').some((name) => name !== '' && name !== `refs/heads/${branch}`);
}

/**
 * Removes a work tree if it has no unsaved work. It is first renamed and checked again, so that work written meanwhile
 * brings it back, and a crash afterwards leaves only files that nobody needs.
 */
export async function removeWorktree(git: Git, plan: WorktreePlan, scratch: Scratch): Promise<string | undefined> {
  const away = join(dirname(plan.path), `.removing-${basename(plan.path)}`);
  if (await exists(plan.path)) {
    const why = await unsavedWork(git, plan, scratch);
    if (why !== undefined) return why;
    await rename(plan.path, away);
  }
  const late = await lateWork(git, plan, away, scratch);
  if (late !== undefined) return late;
  await new Admin(plan).forget();
  await deleteBranch(git, plan);
  await rm(away, { recursive: true, force: true, maxRetries: 3 });
  return undefined;
}

/**
 * Checks the renamed work tree again and moves it back if it has unsaved work. If the repository has already forgotten it,
 * an earlier removal passed this check and was interrupted, so parts of it may be gone.
 */
async function lateWork(git: Git, plan: WorktreePlan, away: string, scratch: Scratch): Promise<string | undefined> {
  if ((await new Admin(plan).folder(away)) === undefined) return undefined;
  try {
    const why = await unsavedWork(git, plan, scratch, away);
    if (why !== undefined) await rename(away, plan.path);
    return why;
  } catch (cause) {
    await rename(away, plan.path);
    throw cause;
  }
}

async function deleteBranch(git: Git, plan: WorktreePlan): Promise<void> {
  const { repository, branch } = plan;
  const tip = await commitOf(git, `refs/heads/${branch}`, inside(repository));
  if (tip === undefined || !(await isElsewhere(git, plan, tip))) return;
  const places = await run(git, ['worktree', 'list', '--porcelain'], inside(repository));
  if (places.split('\n').includes(`branch refs/heads/${branch}`)) return; // it is checked out elsewhere
  // With the expected commit, so that a branch that has moved meanwhile is kept.
  await ask(git, ['update-ref', '-d', `refs/heads/${branch}`, tip], inside(repository));
}
