import type { LineSpan } from '../../ports/contents.js';

/** Where the conflicts in the output of `git merge-file --diff3` are, in lines of ours. */
export function parseConflicts(merged: Buffer, label: string): LineSpan[] {
  const conflicts: LineSpan[] = [];
  let ours = 0;
  let start = 0;
  let part: 'both' | 'ours' | 'others' = 'both';
  for (const line of merged.toString('latin1').split('\n')) {
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
