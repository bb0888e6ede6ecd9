import { OperationRefused } from '../refused.js';
import { fileCount } from '../words.js';
import type { Runner } from './job.js';
import { reversalOf } from './take-back.js';

/** Brings all files back to how they were after the turn: what changed since is taken back. */
export const restore: Runner = async ({ subject, perform }) => {
  const state = subject.stateAfter();
  if (state === undefined) throw new OperationRefused('How the files were after this turn is not known.');
  const since = await subject.workspace.compare(state, await subject.workspace.checkpoint());
  if (since.length === 0) return { message: 'The files are as they were after this turn.' };
  await perform({ label: 'the restoring of the folder', reversals: since.map(reversalOf) });
  return { message: `Restored ${fileCount(since.length)}.` };
};
