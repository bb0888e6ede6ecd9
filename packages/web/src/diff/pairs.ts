import type { DiffLine } from './compute.js';

/** A row of a side-by-side view. */
export interface LinePair {
  readonly left?: DiffLine | undefined;
  readonly right?: DiffLine | undefined;
}

/** Puts removed lines beside the added lines that replaced them. */
export function pairsOf(lines: readonly DiffLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (!line || line.kind === 'same') {
      if (line) pairs.push({ left: line, right: line });
      at++;
      continue;
    }
    const removed = takeWhile(lines, at, 'removed');
    const added = takeWhile(lines, at + removed.length, 'added');
    for (let i = 0; i < Math.max(removed.length, added.length); i++) pairs.push({ left: removed[i], right: added[i] });
    at += removed.length + added.length;
  }
  return pairs;
}

/** For each changed line, the line that it replaced or was replaced by. */
export function counterparts(lines: readonly DiffLine[]): Map<DiffLine, DiffLine> {
  const found = new Map<DiffLine, DiffLine>();
  for (const { left, right } of pairsOf(lines)) {
    if (!left || !right || left === right) continue;
    found.set(left, right);
    found.set(right, left);
  }
  return found;
}

function takeWhile(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}
