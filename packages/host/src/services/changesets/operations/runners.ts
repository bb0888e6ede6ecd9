import type { Runner } from './job.js';
import { openDiff } from './open-diff.js';
import { restore } from './restore.js';
import { revert } from './revert.js';
import { undo } from './undo.js';

/** Who does which operation. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  revert,
  undo,
  restore,
  'open-diff': openDiff,
};
