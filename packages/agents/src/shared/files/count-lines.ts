import { lineHunks } from '@moorage/host/lines';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Lines added and removed, as `git diff --numstat` counts them. Where very much differs, all of it counts as replaced. */
export function countChangedLines(before: string, after: string): LineCounts {
  const hunks = lineHunks(splitLines(before), splitLines(after));
  const sum = (side: 'before' | 'after') => hunks.reduce((total, hunk) => total + hunk[side].count, 0);
  return { added: sum('after'), removed: sum('before') };
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
