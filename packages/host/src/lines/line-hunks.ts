import type { Hunk } from '../ports/contents.js';
import { commonLines, differingLines } from './common-lines.js';

/** Changed lines up to which the smallest difference is searched for; its cost grows with their square. */
const MAX_EDITS = 2_000;

/** The lines in which two texts differ. Beyond a bound, everything between their common start and end counts as one. */
export function lineHunks(older: readonly string[], newer: readonly string[]): Hunk[] {
  const { start, gone, added } = differingLines(older, newer);
  const common = commonLines(gone, added, MAX_EDITS) ?? [];
  const hunks: Hunk[] = [];
  let [x, y] = [0, 0];
  for (const [oldAt, newAt] of [...common, [gone.length, added.length] as const]) {
    if (oldAt > x || newAt > y)
      hunks.push({ before: { start: start + x, count: oldAt - x }, after: { start: start + y, count: newAt - y } });
    [x, y] = [oldAt + 1, newAt + 1];
  }
  return hunks;
}

/** The lines of a text, each with its line end, so that a last line without one differs from the same line with one. */
export function linesOf(content: Uint8Array): string[] {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  return text === '' ? [] : text.split(/(?<=\n)/);
}

export function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'latin1');
}
