import { mkdirSync, realpathSync } from 'node:fs';
import type { Telemetry } from '../../ports/telemetry.js';
import type { Worktrees } from '../../ports/worktrees.js';
import { Git } from '../shared/git/git.js';
import type { RepositoryRules } from '../shared/git/repository-rules.js';
import { Scratch } from '../shared/git/scratch.js';
import { withWorktreeErrors } from './ask.js';
import { locationOf } from './location.js';
import { discardWorktree, makeWorktree } from './make.js';
import { planWorktree } from './plan.js';
import { removeWorktree, unsavedWork } from './remove.js';
import { findBranches, summarize } from './summarize.js';

export interface GitWorktreesOptions {
  readonly directory: string;
  /** Records git commands. */
  readonly telemetry?: Telemetry | undefined;
  /** Which repositories may be used, and which are trusted; by default only a folder's own, and none. */
  readonly repositories?: RepositoryRules | undefined;
}

/** Work trees made with git, below a folder that is created if needed. */
export function gitWorktrees({ directory, telemetry, repositories: rules }: GitWorktreesOptions): Worktrees {
  const git = new Git({ telemetry, rules });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const real = realpathSync(directory);
  const scratch = new Scratch(`${real}-scratch`);
  return {
    directory: real,
    place: (folder, session) => locationOf(real, folder, session),
    summarize: (folder) => withWorktreeErrors(() => summarize(git, folder)),
    branches: (folder, query, limit) => withWorktreeErrors(() => findBranches(git, folder, query, limit)),
    plan: (request) => withWorktreeErrors(() => planWorktree(git, request)),
    make: (plan, options) => withWorktreeErrors(() => makeWorktree(git, plan, options, scratch)),
    discard: (plan) => withWorktreeErrors(() => discardWorktree(git, plan)),
    unsaved: (plan) => withWorktreeErrors(() => unsavedWork(git, plan, scratch)),
    remove: (plan) => withWorktreeErrors(() => removeWorktree(git, plan, scratch)),
  };
}
