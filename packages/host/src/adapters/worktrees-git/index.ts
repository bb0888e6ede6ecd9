import { mkdirSync, realpathSync } from 'node:fs';
import type { Telemetry } from '../../ports/telemetry.js';
import type { Worktrees } from '../../ports/worktrees.js';
import { asGitUser } from '../shared/git/git-life.js';
import { inWords } from './ask.js';
import { findBranches, lookAt } from './look.js';
import { discardWorktree, makeWorktree } from './make.js';
import { placeOf } from './place.js';
import { planWorktree } from './plan.js';
import { removeWorktree, unsavedWork } from './remove.js';

export interface GitWorktreesOptions {
  readonly directory: string;
  /** Told of git commands. */
  readonly telemetry?: Telemetry | undefined;
}

/** Work trees made with git, below a folder that is made if need be. */
export function gitWorktrees({ directory, telemetry }: GitWorktreesOptions): Worktrees {
  const told = <T>(work: () => Promise<T>) => asGitUser({ telemetry }, () => inWords(work));
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const real = realpathSync(directory);
  return {
    directory: real,
    place: (folder, session) => placeOf(real, folder, session),
    look: (folder) => told(() => lookAt(folder)),
    branches: (folder, query, limit) => told(() => findBranches(folder, query, limit)),
    plan: (request) => told(() => planWorktree(request)),
    make: (plan, options) => told(() => makeWorktree(plan, options)),
    discard: (plan) => told(() => discardWorktree(plan)),
    unsaved: (plan) => told(() => unsavedWork(plan)),
    remove: (plan) => told(() => removeWorktree(plan)),
  };
}
