import type { FileChange } from '../../ports/workspace.js';

/**
 * Says of which files somebody else changed the content between two of these lists of changes, each made by one turn. The
 * lines of such a file are counted as those of the turns alone.
 */
export function markChangedBetween(
  lists: readonly (readonly FileChange[])[],
  changes: readonly FileChange[],
): FileChange[] {
  const files = new Map<string, { content: string | undefined; added: number; removed: number; isBroken: boolean }>();
  for (const { before, after, added = 0, removed = 0 } of lists.flat()) {
    const path = after?.path ?? before?.path ?? '';
    const known = files.get(before?.path ?? path);
    const isBroken = known !== undefined && (known.isBroken || known.content !== before?.contentId);
    files.delete(before?.path ?? path);
    files.set(path, {
      content: after?.contentId,
      added: added + (known?.added ?? 0),
      removed: removed + (known?.removed ?? 0),
      isBroken,
    });
  }
  return changes.map((change) => {
    const known = files.get(change.after?.path ?? change.before?.path ?? '');
    if (!known?.isBroken) return change;
    const { added, removed } = known;
    return { ...change, ...(change.added !== undefined && { added, removed }), changedBetween: true };
  });
}
