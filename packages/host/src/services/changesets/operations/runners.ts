import { createBranch, createPullRequest, mergeBack, push } from './branch-operations.js';
import { commit } from './commit.js';
import { fixup } from './fixup.js';
import type { Runner } from './job.js';
import { keep } from './keep.js';
import { openDiff } from './open-diff.js';
import { restore } from './restore.js';
import { revert } from './revert.js';
import { revertSince } from './revert-since.js';
import { split } from './split.js';
import { stage, unstage } from './staging.js';
import { takeAlong } from './take-along.js';
import { undo } from './undo.js';

/** The function that runs each operation, by operation id. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  revert,
  undo,
  restore,
  stage,
  unstage,
  commit,
  fixup,
  split,
  keep,
  push,
  'revert-since': revertSince,
  'open-diff': openDiff,
  'create-branch': createBranch,
  'take-along': takeAlong,
  'merge-back': mergeBack,
  'create-pr': createPullRequest,
};
