import type { EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import { isSameEntry } from '../index-entries.js';
import type { OperationRecord } from '../journal.js';
import { partition } from './nested.js';

/** Finishes an operation that a crash interrupted, or rolls it back. */
export async function settleInterrupted(
  editor: FolderEditor,
  { id, steps, index = [] }: OperationRecord,
): Promise<'finished' | 'rolledBack'> {
  if (index.length === 0) return settleSteps(editor, id, steps);
  // The index changes after the files, as a whole or not at all.
  const now = await editor.index.entries(index.map(({ path }) => path));
  const isDone = index.every(({ path, to }) => isSameEntry(now.get(path), to));
  if (steps.length === 0) return isDone ? 'finished' : 'rolledBack';
  const outcome = await settleSteps(editor, id, steps);
  const isDue = outcome === 'finished' && index.every(({ path, from }) => isSameEntry(now.get(path), from));
  if (isDue && !isDone) await editor.index.stage(new Map(index.map(({ path, to }) => [path, to])));
  return outcome;
}

/** Settles the files, and then moves the nested repositories to match: forward if there are no files to settle. */
async function settleSteps(
  editor: FolderEditor,
  id: string,
  steps: readonly EditStep[],
): Promise<'finished' | 'rolledBack'> {
  const { nested, files } = partition(steps);
  const outcome = files.length > 0 ? await editor.settle(id, files) : undefined;
  const forward = outcome === undefined || outcome === 'finished';
  for (const { path, from, to } of nested) {
    const [here, there] = forward ? [from, to] : [to, from];
    if ((await editor.nested.head(path)) !== here?.contentId) continue; // already there, or moved on since
    await editor.nested.move(path, here?.contentId ?? '', there?.contentId ?? '');
  }
  return outcome ?? (nested.length > 0 ? 'finished' : 'rolledBack');
}
