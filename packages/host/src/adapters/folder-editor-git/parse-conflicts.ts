import type { LineSpan } from '../../ports/contents.js';

/** Finds the conflicts in the output of `git merge-file --diff3`, as lines of our version. */
export function parseConflicts(merged: Buffer, label: string): LineSpan[] {
  const conflicts: LineSpan[] = [];
  let ours = 0;
  let start = 0;
  let part: 'both' | 'ours' | 'others' = 'both';
  // Git ends its markers with \r\n in a file that does so.
  for (const line of merged.toString('latin1').split(/\r?\n/)) {
    if (line === `<<<<<<< ${label}`) {
      part = 'ours';
      start = ours;
    } else if (line === `||||||| ${label}`) {
      part = 'others';
      conflicts.push({ start, count: ours - start });
    } else if (line === `>>>>>>> ${label}`) {
      part = 'both';
    } else if (part !== 'others') {
      ours++;
    }
  }
  return conflicts;
}
