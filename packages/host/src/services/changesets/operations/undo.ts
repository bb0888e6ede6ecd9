import { isSameContent, isSameEntry } from '../index-entries.js';
import type { IndexStep, OperationRecord } from '../journal.js';
import { OperationRefused } from '../refused.js';
import type { Job, Runner } from './job.js';

/** Takes back the last operation like any other change: what the operation left is the base. */
export const undo: Runner = async (job) => {
  const { journal, subject, perform } = job;
  const last = journal.last(subject.uri);
  if (!last) throw new OperationRefused('There is nothing to undo.');
  const index = await undoable(job, last);
  if (last.steps.length === 0 && index.length === 0) {
    journal.forgetUndo(last);
    throw new OperationRefused(`${last.label}: it has been committed since, so there is nothing to undo.`);
  }
  await perform({
    label: `the undo of ${last.label}`,
    reversals: last.steps.map(({ from, to }) => ({ base: to, wanted: from })),
    index: index.map(({ path, from, to }) => ({ path, ...(to && { from: to }), ...(from && { to: from }) })),
    undoes: last.id,
  });
  return { message: `Took back ${last.label}.` };
};

/**
 * Leaves out what was committed since: taking that out of the index would stage its removal. If files come back as well,
 * entries that somebody has changed since are left alone; otherwise the undo is refused because of them.
 */
async function undoable({ editor }: Job, { steps, index = [] }: OperationRecord): Promise<IndexStep[]> {
  if (index.length === 0) return [];
  const paths = index.map(({ path }) => path);
  const committed = await editor.index.committed(paths);
  const left = index.filter(({ path, to, asCommitted }) => asCommitted || !isSameContent(committed.get(path), to));
  if (steps.length === 0) return left;
  const { conflicted } = await editor.index.status({ freshness: 'exact' });
  const now = await editor.index.entries(paths.filter((path) => !conflicted.has(path)));
  return left.filter(({ path, to }) => !conflicted.has(path) && isSameEntry(now.get(path), to));
}
