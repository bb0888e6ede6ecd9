import { OperationRefused } from '../refused.js';
import type { Runner } from './job.js';

/** Takes back the last operation like any other change: what the operation left is the base. */
export const undo: Runner = async ({ journal, subject, perform }) => {
  const last = journal.last(subject.uri);
  if (!last) throw new OperationRefused('There is nothing to undo.');
  await perform({
    label: `the undo of ${last.label}`,
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
