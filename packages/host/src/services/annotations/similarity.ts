/** UTF-16 units of each text that are compared. */
const MAX_COMPARED = 8_000;

/** How similar two texts are, from 0 to 1: the share of character pairs in common (Dice), ignoring blanks. */
export function similarity(a: string, b: string): number {
  const [one, other] = [pairs(a), pairs(b)];
  if (one.size === 0 || other.size === 0) return a.trim() === b.trim() ? 1 : 0;
  let [shared, all] = [0, 0];
  for (const [pair, count] of one) {
    shared += Math.min(count, other.get(pair) ?? 0);
    all += count;
  }
  for (const count of other.values()) all += count;
  return (2 * shared) / all;
}

function pairs(text: string): Map<string, number> {
  const plain = text.slice(0, MAX_COMPARED).replace(/\s+/g, '');
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < plain.length; at++) {
    const pair = plain.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}
