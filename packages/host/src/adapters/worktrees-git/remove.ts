import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { WorktreePlan } from '../../ports/worktrees.js';
import { Admin, exists } from './admin.js';
import { ask, commitOf, run } from './ask.js';

/** Why it must stay: each sentence ends "it is kept because …". */
export async function unsavedWork(plan: WorktreePlan, workTree = plan.path): Promise<string | undefined> {
  if (!(await exists(workTree))) return undefined;
  const admin = await new Admin(plan).folder(workTree);
  if (admin === undefined) return 'it is no work tree of the repository any more';
  for (const [file, why] of UNDER_WAY) if (await exists(join(admin, file))) return why;
  const git = [`--git-dir=${admin}`, `--work-tree=${workTree}`];
  const status = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=none'];
  const changes = await run([...git, ...status], { cwd: workTree });
  const count = changes === '' ? 0 : changes.split('\n').length;
  if (count > 0) return `${count === 1 ? 'one file is' : `${count} files are`} not committed`;
  const head = await ask([...git, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], workTree);
  if (head === undefined) return 'its commit cannot be read';
  const tip = await commitOf(`refs/heads/${plan.branch}`, plan.repository);
  for (const commit of new Set([head, ...(tip === undefined ? [] : [tip])])) {
    if (!(await isElsewhere(plan, commit))) return `commits of the branch ${plan.branch} are nowhere else`;
  }
  return undefined;
}

/** What the repository keeps of a work tree in which something else must not be lost. */
const UNDER_WAY: readonly (readonly [string, string])[] = [
  ['locked', 'it is locked'],
  ['modules', 'it has submodules'],
  ['MERGE_HEAD', 'a merge is under way'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is under way'],
  ['REVERT_HEAD', 'a revert is under way'],
  ['rebase-merge', 'a rebase is under way'],
  ['rebase-apply', 'a rebase is under way'],
  ['BISECT_LOG', 'a bisection is under way'],
  ['index.lock', 'git is at work in it'],
];

/** Whether another branch, a branch of a remote or a tag holds a commit. */
async function isElsewhere({ repository, branch }: WorktreePlan, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=2', `--contains=${commit}`, '--format=%(refname)'];
  const holders = await run([...args, 'refs/heads', 'refs/remotes', 'refs/tags'], { cwd: repository });
  return holders.split('\n').some((name) => name !== '' && name !== `refs/heads/${branch}`);
}

/**
 * Out of the way first, in one step, and looked at again there: what was written meanwhile brings it back, and a crash
 * from then on leaves only what nobody needs.
 */
export async function removeWorktree(plan: WorktreePlan): Promise<string | undefined> {
  const away = join(dirname(plan.path), `.removing-${basename(plan.path)}`);
  if (await exists(plan.path)) {
    const why = await unsavedWork(plan);
    if (why !== undefined) return why;
    await rename(plan.path, away);
  }
  const late = await lateWork(plan, away);
  if (late !== undefined) return late;
  await new Admin(plan).forget();
  await forgetBranch(plan);
  await rm(away, { recursive: true, force: true, maxRetries: 3 });
  return undefined;
}

/** Once the repository has forgotten it, it was found good to go, and parts of it may be gone already. */
async function lateWork(plan: WorktreePlan, away: string): Promise<string | undefined> {
  if ((await new Admin(plan).folder(away)) === undefined) return undefined;
  try {
    const why = await unsavedWork(plan, away);
    if (why !== undefined) await rename(away, plan.path);
    return why;
  } catch (cause) {
    await rename(away, plan.path);
    throw cause;
  }
}

async function forgetBranch(plan: WorktreePlan): Promise<void> {
  const { repository, branch } = plan;
  const tip = await commitOf(`refs/heads/${branch}`, repository);
  if (tip === undefined || !(await isElsewhere(plan, tip))) return;
  const places = await run(['worktree', 'list', '--porcelain'], { cwd: repository });
  if (places.split('\n').includes(`branch refs/heads/${branch}`)) return; // somebody works on it
  // Only if it is still where it was looked at.
  await ask(['update-ref', '-d', `refs/heads/${branch}`, tip], repository);
}
