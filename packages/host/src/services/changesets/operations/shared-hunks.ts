import { lineHunks, linesOf } from '../../../lines/line-hunks.js';
import type { Contents, Hunk, LineSpan } from '../../../ports/contents.js';
import type { FileChange } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';

/** Whether somebody else may have made part of the change. */
export function isShared({ sharedWith }: FileChange): boolean {
  return sharedWith !== undefined;
}

/** The hunks of a change that nobody else may have made; none if it is not known by hunk. */
export async function ownHunks(
  contents: Contents,
  { before, after, sharedHunks = [] }: FileChange,
): Promise<readonly Hunk[]> {
  if (!before || !after || sharedHunks.length === 0) return [];
  const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
  return lineHunks(linesOf(old), linesOf(now)).filter(
    (hunk) => !sharedHunks.some((shared) => meets(hunk.before, shared.before) || meets(hunk.after, shared.after)),
  );
}

/** Whether two spans have a line or a place between lines in common. */
function meets(one: LineSpan, other: LineSpan): boolean {
  const isApart = one.start + one.count < other.start || other.start + other.count < one.start;
  const isBeside =
    one.count > 0 &&
    other.count > 0 &&
    (one.start + one.count === other.start || other.start + other.count === one.start);
  return !isApart && !isBeside;
}
