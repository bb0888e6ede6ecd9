import { lineHunks, linesOf } from '../../lines/line-hunks.js';

/** How many lines were added and removed from one text to another; undefined if one of them is not text. */
export function countedLines(before: Uint8Array, after: Uint8Array): { added: number; removed: number } | undefined {
  if (before.includes(0) || after.includes(0)) return undefined;
  const hunks = lineHunks(linesOf(before), linesOf(after));
  return {
    added: hunks.reduce((sum, hunk) => sum + hunk.after.count, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.before.count, 0),
  };
}
