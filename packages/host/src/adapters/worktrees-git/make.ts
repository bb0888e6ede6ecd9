import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MakeOptions, WorktreeError, type WorktreePlan } from '../../ports/worktrees.js';
import type { Git } from '../shared/git/git.js';
import { ownFilterOf } from '../shared/git/own-filters.js';
import { inPlainView } from '../shared/git/plain-view.js';
import { isTrusted } from '../shared/git/repository-rules.js';
import type { Scratch } from '../shared/git/scratch.js';
import { Admin, exists } from './admin.js';
import { commitOf, inside, run } from './ask.js';
import { CHECKOUT_TIMEOUT_MS, ORPHAN_WAIT_MS } from './limits.js';
import { untilUnlocked } from './locks.js';

/** Makes a work tree and its branch. If anything fails, both are removed again. */
export async function makeWorktree(
  git: Git,
  plan: WorktreePlan,
  { signal, onProgress }: MakeOptions,
  scratch: Scratch,
): Promise<void> {
  const { repository, path, branch, commit, folder } = plan;
  if (await exists(path)) throw new WorktreeError(`Something already exists at ${path}.`);
  try {
    const add = ['worktree', 'add', '--quiet', '--no-checkout', '--no-track', '-b', branch, '--', path, commit];
    // An attempt that failed may have made the branch before it came to the lock.
    await untilUnlocked(() => run(git, add, { ...inside(repository), signal }), {
      signal,
      afterwards: () => removeAll(git, plan),
    });
    onProgress?.(0);
    // Progress from the start: if the host dies, git ends when it next reports progress.
    await inPlainView(git, { folder: path, scratch, env: { GIT_PROGRESS_DELAY: '0' } }, (view) =>
      view(['checkout', '--quiet', '--progress', '--force', 'HEAD'], {
        signal,
        timeoutMs: CHECKOUT_TIMEOUT_MS,
        onStderr: (chunk) => {
          const percent = /(\d+)%[^%]*$/.exec(chunk)?.[1];
          if (percent !== undefined) onProgress?.(Number(percent));
        },
      }),
    );
    if (!(await isTrusted(git, path))) await assertNotFiltered(git, path);
    if (!(await exists(folder))) throw new WorktreeError(`The work tree has no folder ${folder}.`);
  } catch (cause) {
    await removeAll(git, plan);
    throw cause;
  }
}

/** Without their filter such files have other contents than in the repository's other work trees. */
async function assertNotFiltered(git: Git, path: string): Promise<void> {
  const found = await ownFilterOf(git, path);
  if (!found) return;
  throw new WorktreeError(
    `The repository's own settings have a program, the filter "${found.filter}", for files such as ${found.path}. ` +
      'It is run only for a repository that you trust: start the host with --trust and its folder, ' +
      'or configure the filter with "git config --global".',
  );
}

export async function discardWorktree(git: Git, plan: WorktreePlan): Promise<void> {
  await untilIdle(plan);
  await removeAll(git, plan);
}

async function removeAll(git: Git, plan: WorktreePlan): Promise<void> {
  const { repository, path, branch, commit } = plan;
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  await new Admin(plan).forget();
  // Deletes the branch only if it has no new commits. Git refuses to delete one that is checked out elsewhere.
  if ((await commitOf(git, `refs/heads/${branch}`, inside(repository))) !== commit) return;
  const remove = ['branch', '--quiet', '--delete', '--force', '--', branch];
  await untilUnlocked(() => run(git, remove, inside(repository))).catch(() => undefined);
}

/** Waits for a git process that outlived its host. It holds the lock of the index while it checks out the work tree. */
async function untilIdle(plan: WorktreePlan): Promise<void> {
  const deadline = performance.now() + ORPHAN_WAIT_MS;
  while (performance.now() < deadline) {
    const folder = await new Admin(plan).leftover();
    if (folder === undefined || !(await exists(join(folder, 'index.lock')))) return;
    await new Promise((resolve) => setTimeout(resolve, LOCK_CHECK_MS));
  }
}

const LOCK_CHECK_MS = 50;
