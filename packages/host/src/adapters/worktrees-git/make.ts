import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type MakeOptions, WorktreeError, type WorktreePlan } from '../../ports/worktrees.js';
import { Admin, exists } from './admin.js';
import { commitOf, run } from './ask.js';
import { CHECKOUT_TIMEOUT_MS, ORPHAN_WAIT_MS } from './limits.js';

/** All or nothing: what fails on the way is taken away again. */
export async function makeWorktree(plan: WorktreePlan, { signal, onProgress }: MakeOptions): Promise<void> {
  const { repository, path, branch, commit, folder } = plan;
  if (await exists(path)) throw new WorktreeError(`There is something at ${path} already.`);
  try {
    const add = ['worktree', 'add', '--quiet', '--no-checkout', '--no-track', '-b', branch, '--', path, commit];
    await run(add, { cwd: repository, signal });
    onProgress?.(0);
    await run(['checkout', '--quiet', '--progress', '--force', 'HEAD'], {
      cwd: path,
      signal,
      timeoutMs: CHECKOUT_TIMEOUT_MS,
      // Said from the start: a git whose host is gone ends when it says something.
      env: { GIT_PROGRESS_DELAY: '0' },
      onComplaint: (chunk) => {
        const percent = /(\d+)%[^%]*$/.exec(chunk)?.[1];
        if (percent !== undefined) onProgress?.(Number(percent));
      },
    });
    if (!(await exists(folder))) throw new WorktreeError(`The work tree has no folder ${folder}.`);
  } catch (cause) {
    await takeAway(plan);
    throw cause;
  }
}

export async function discardWorktree(plan: WorktreePlan): Promise<void> {
  await untilQuiet(plan);
  await takeAway(plan);
}

async function takeAway(plan: WorktreePlan): Promise<void> {
  const { repository, path, branch, commit } = plan;
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  await new Admin(plan).forget();
  // Only as it was made: with other commits it is somebody's work. Git keeps one that is checked out elsewhere.
  if ((await commitOf(`refs/heads/${branch}`, repository)) !== commit) return;
  await run(['branch', '--quiet', '--delete', '--force', '--', branch], { cwd: repository }).catch(() => undefined);
}

/** A git that outlived its host holds the lock of the index while it fills the work tree. */
async function untilQuiet(plan: WorktreePlan): Promise<void> {
  const deadline = performance.now() + ORPHAN_WAIT_MS;
  while (performance.now() < deadline) {
    const folder = await new Admin(plan).leftover();
    if (folder === undefined || !(await exists(join(folder, 'index.lock')))) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

const LOOK_AGAIN_MS = 50;
