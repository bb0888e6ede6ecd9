import type { WorkTree } from '../../../ports/work-tree.js';
import type { OperationRecord } from './journal.js';

/** Finishes an operation that was cut off, or puts back what it had done. */
export async function settleInterrupted(
  tree: WorkTree,
  { id, steps, index = [] }: OperationRecord,
): Promise<'finished' | 'rolledBack'> {
  const files = steps.length > 0 ? await tree.settle(id, steps) : undefined;
  if (index.length === 0 || files === 'rolledBack') return files ?? 'rolledBack';
  // The index changes at once or not at all, and after the files.
  const now = await tree.repository.entries(index.map(({ path }) => path));
  if (index.every(({ path, to }) => now.get(path)?.id === to?.id)) return 'finished';
  if (files === undefined) return 'rolledBack';
  await tree.repository.stage(new Map(index.map(({ path, to }) => [path, to])));
  return 'finished';
}
