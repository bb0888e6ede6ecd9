/** A line that two texts have in common, by its number in each. */
export type Common = readonly [older: number, newer: number];

/**
 * The longest common subsequence of two lists of lines, by Myers' greedy search; undefined if they differ in more than
 * `mostEdits` lines.
 */
export function commonLines(
  older: readonly string[],
  newer: readonly string[],
  mostEdits: number,
): Common[] | undefined {
  const width = Math.min(mostEdits, older.length + newer.length) + 1;
  const furthest = new Int32Array(2 * width + 1);
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits < width; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = goesDown(furthest, width, k, edits);
      let x = isDown ? (furthest[width + k + 1] ?? 0) : (furthest[width + k - 1] ?? 0) + 1;
      while (x < older.length && x - k < newer.length && older[x] === newer[x - k]) x++;
      furthest[width + k] = x;
      if (k === older.length - newer.length && x >= older.length) return walkBack(rounds, width, x, k);
    }
    rounds.push(furthest.slice(width - edits, width + edits + 1));
  }
  return undefined;
}

/** Whether the best way to a diagonal adds a line of the newer text, rather than dropping one of the older. */
function goesDown(furthest: Int32Array, width: number, k: number, edits: number): boolean {
  if (k === -edits) return true;
  return k !== edits && (furthest[width + k - 1] ?? 0) + 1 <= (furthest[width + k + 1] ?? 0);
}

/** `rounds[d]` holds how far each diagonal from -d to d got with d edits. */
function walkBack(rounds: readonly Int32Array[], width: number, endX: number, endK: number): Common[] {
  const common: Common[] = [];
  let [x, k] = [endX, endK];
  for (let edits = rounds.length; edits >= 0; edits--) {
    const before = edits === 0 ? undefined : spread(rounds[edits - 1], width);
    const isDown = before !== undefined && goesDown(before, width, k, edits);
    const fromK = before === undefined ? k : isDown ? k + 1 : k - 1;
    const fromX = before === undefined ? 0 : (before[width + fromK] ?? 0);
    const start = before === undefined || isDown ? fromX : fromX + 1;
    while (x > start) {
      x--;
      common.push([x, x - k]);
    }
    [x, k] = [fromX, fromK];
  }
  return common.reverse();
}

function spread(round: Int32Array | undefined, width: number): Int32Array {
  const all = new Int32Array(2 * width + 1);
  if (round) all.set(round, width - (round.length - 1) / 2);
  return all;
}

/** The lines between the common start and the common end of two texts, and where they start. */
export function differingLines(older: readonly string[], newer: readonly string[]) {
  const shorter = Math.min(older.length, newer.length);
  let start = 0;
  while (start < shorter && older[start] === newer[start]) start++;
  let end = 0;
  while (end < shorter - start && older[older.length - 1 - end] === newer[newer.length - 1 - end]) end++;
  const [gone, added] = [older.slice(start, older.length - end), newer.slice(start, newer.length - end)];
  return { start, gone, added };
}
