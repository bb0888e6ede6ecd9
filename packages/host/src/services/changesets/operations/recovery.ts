import type { EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import type { OperationRecord } from '../journal.js';
import { partition } from './nested.js';

/** Finishes an operation that was cut off, or puts back what it had done. */
export async function settleInterrupted(
  editor: FolderEditor,
  { id, steps, index = [] }: OperationRecord,
): Promise<'finished' | 'rolledBack'> {
  if (index.length === 0) return settleSteps(editor, id, steps);
  // No operation changes files as well, and the index changes at once or not at all.
  const now = await editor.index.entries(index.map(({ path }) => path));
  return index.every(({ path, to }) => now.get(path)?.id === to?.id) ? 'finished' : 'rolledBack';
}

/** Nested repositories went first: where they are says whether the files were to follow. */
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
    if ((await editor.nested.head(path)) !== here?.contentId) continue; // there already, or moved on
    await editor.nested.move(path, here?.contentId ?? '', there?.contentId ?? '');
  }
  return outcome ?? (nested.length > 0 ? 'finished' : 'rolledBack');
}
