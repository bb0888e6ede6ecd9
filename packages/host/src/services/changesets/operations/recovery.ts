import type { EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import { isSameEntry } from '../index-entries.js';
import type { CommitMove, IndexStep, OperationRecord } from '../journal.js';
import { backwards, partition } from './perform.js';

/**
 * Finishes an operation that a crash interrupted, or rolls it back. Resolves with the operation as it was finished; undefined
 * if it was rolled back.
 */
export async function settleInterrupted(
  editor: FolderEditor,
  record: OperationRecord,
): Promise<OperationRecord | undefined> {
  const { commit, index } = record;
  const made = commit && commit.to === commit.from ? await editor.repository.commitOf(record.id) : undefined;
  if (commit && made) return { ...record, label: `the commit ${made.id}`, commit: { ...commit, to: made.commit } };
  const outcome = commit ? await settleMove(editor, commit, index) : await settleFiles(editor, record);
  return outcome === 'finished' ? record : undefined;
}

async function settleFiles(
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

/** Where the branch is tells whether it was moved. What was staged for a commit that was not made is taken out again. */
async function settleMove(
  editor: FolderEditor,
  { from, to }: CommitMove,
  index: readonly IndexStep[] = [],
): Promise<'finished' | 'rolledBack'> {
  const { commit } = await editor.repository.head();
  const isMoved = to !== from && commit === to;
  if (!isMoved && commit !== from) return 'rolledBack';
  const now = await editor.index.entries(index.map(({ path }) => path));
  const due = index.map((step) => (isMoved ? step : backwards(step)));
  const left = due.filter((step) => isSameEntry(now.get(step.path), step.from));
  await editor.index.stage(new Map(left.map((step) => [step.path, step.to])));
  return isMoved ? 'finished' : 'rolledBack';
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
