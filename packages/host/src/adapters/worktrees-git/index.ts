import { mkdirSync, realpathSync } from 'node:fs';
import type { Telemetry } from '../../ports/telemetry.js';
import type { Worktrees } from '../../ports/worktrees.js';
import { asGitUser } from '../shared/git/git-life.js';
import type { RepositoryRules } from '../shared/git/repository-rules.js';
import { Scratch } from '../shared/git/scratch.js';
import { withWorktreeErrors } from './ask.js';
import { findBranches, lookAt } from './look.js';
import { discardWorktree, makeWorktree } from './make.js';
import { placeOf } from './place.js';
import { planWorktree } from './plan.js';
import { removeWorktree, unsavedWork } from './remove.js';

export interface GitWorktreesOptions {
  readonly directory: string;
  /** Records git commands. */
  readonly telemetry?: Telemetry | undefined;
  /** Which repositories may be used, and which are trusted; by default only a folder's own, and none. */
  readonly repositories?: RepositoryRules | undefined;
}

/** Work trees made with git, below a folder that is created if needed. */
export function gitWorktrees({ directory, telemetry, repositories: rules }: GitWorktreesOptions): Worktrees {
  const run = <T>(work: () => Promise<T>) => asGitUser({ telemetry, rules }, () => withWorktreeErrors(work));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const real = realpathSync(directory);
  const scratch = new Scratch(`${real}-scratch`);
  return {
    directory: real,
    place: (folder, session) => placeOf(real, folder, session),
    look: (folder) => run(() => lookAt(folder)),
    branches: (folder, query, limit) => run(() => findBranches(folder, query, limit)),
    plan: (request) => run(() => planWorktree(request)),
    make: (plan, options) => run(() => makeWorktree(plan, options, scratch)),
    discard: (plan) => run(() => discardWorktree(plan)),
    unsaved: (plan) => run(() => unsavedWork(plan, scratch)),
    remove: (plan) => run(() => removeWorktree(plan, scratch)),
  };
}
