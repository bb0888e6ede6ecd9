import { OperationRefused } from '../refused.js';
import type { Runner } from './job.js';

/** Takes back the last operation: the same as taking back a change, with what it left as the base. */
export const undo: Runner = async ({ journal, subject, perform }) => {
  const last = journal.last(subject.uri);
  if (!last) throw new OperationRefused('There is nothing to undo.');
  await perform({
    label: `the undoing of ${last.label}`,
    reversals: last.steps.map(({ from, to }) => ({ base: to, wanted: from })),
    index: (last.index ?? []).map(({ path, from, to }) => ({
      path,
      ...(to && { from: to }),
      ...(from && { to: from }),
    })),
    undoes: last.id,
  });
  return { message: `Took back ${last.label}.` };
};
