import { OperationRefused } from '../refused.js';
import { reversalOf } from '../three-way.js';
import { fileCount } from '../words.js';
import type { Runner } from './job.js';

/** Brings the folder back to its state after the turn, by taking back everything that changed since. */
export const restore: Runner = async ({ subject, perform }) => {
  const state = subject.stateAfter();
  if (state === undefined) throw new OperationRefused('The state of the files after this turn is not known.');
  const since = await subject.workspace.compare(state, await subject.workspace.checkpoint({ freshness: 'exact' }));
  if (since.length === 0) return { message: 'The files are already as they were after this turn.' };
  await perform({ label: 'the restore of the folder', reversals: since.map(reversalOf) });
  return { message: `Restored ${fileCount(since.length)}.` };
};
