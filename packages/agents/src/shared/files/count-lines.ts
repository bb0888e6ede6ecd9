export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Differing lines up to which the smallest difference is searched for; the time grows with their square. */
export const MAX_EXACT_DIFFERENCES = 4000;

/** Lines added and removed, as `git diff --numstat` counts them. Beyond the bound everything that differs counts as replaced. */
export function countChangedLines(before: string, after: string): LineCounts {
  const from = splitLines(before);
  const to = splitLines(after);
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let tail = 0;
  const most = Math.min(from.length, to.length) - start;
  while (tail < most && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
  const left = from.slice(start, from.length - tail);
  const right = to.slice(start, to.length - tail);
  // Every common line lowers both counts by one, so both follow from the number of differences.
  const differences = smallestDifference(left, right) ?? left.length + right.length;
  const added = (differences + right.length - left.length) / 2;
  return { added, removed: differences - added };
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Myers' greedy algorithm, without the path: the fewest single-line insertions and deletions, if few enough. */
function smallestDifference(left: readonly string[], right: readonly string[]): number | undefined {
  const most = Math.min(left.length + right.length, MAX_EXACT_DIFFERENCES);
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3); // diagonal -> how far into `left` it got
  for (let differences = 0; differences <= most; differences++) {
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down = reach[offset + diagonal + 1] ?? 0;
      const across = (reach[offset + diagonal - 1] ?? 0) + 1;
      const insert = diagonal === -differences || (diagonal !== differences && across <= down);
      let x = insert ? down : across;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      reach[offset + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) return differences;
    }
  }
  return undefined;
}
