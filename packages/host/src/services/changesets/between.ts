import type { FileChange } from '../../ports/workspace.js';

/**
 * Marks the files whose content someone else changed between two of these lists, each of which holds the changes of one
 * turn. A marked file gets the line counts of the turns alone.
 */
export function markChangedBetween(
  lists: readonly (readonly FileChange[])[],
  changes: readonly FileChange[],
): FileChange[] {
  const files = new Map<string, { content: string | undefined; added: number; removed: number; hasGap: boolean }>();
  for (const { before, after, added = 0, removed = 0 } of lists.flat()) {
    const path = after?.path ?? before?.path ?? '';
    const known = files.get(before?.path ?? path);
    const hasGap = known !== undefined && (known.hasGap || known.content !== before?.contentId);
    files.delete(before?.path ?? path);
    files.set(path, {
      content: after?.contentId,
      added: added + (known?.added ?? 0),
      removed: removed + (known?.removed ?? 0),
      hasGap,
    });
  }
  return changes.map((change) => {
    const known = files.get(change.after?.path ?? change.before?.path ?? '');
    if (!known?.hasGap) return change;
    const { added, removed } = known;
    return { ...change, ...(change.added !== undefined && { added, removed }), changedBetween: true };
  });
}
