import type { Hunk, LineSpan } from '../../ports/contents.js';

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Parses the hunks that `git diff --unified=0` prints for one file; undefined if git takes the file for binary. */
export function parseHunks(output: Buffer): Hunk[] | undefined {
  const lines = output.toString('latin1').split('\n');
  if (lines.some((line) => line.startsWith('Binary files '))) return undefined;
  return lines.flatMap((line) => {
    const found = HEADER.exec(line);
    return found ? [{ before: span(found[1], found[2]), after: span(found[3], found[4]) }] : [];
  });
}

/** Git counts lines from 1. For an empty span it gives the line before it. */
function span(start: string | undefined, count: string | undefined): LineSpan {
  const lines = count === undefined ? 1 : Number(count);
  return { start: Number(start) - (lines === 0 ? 0 : 1), count: lines };
}
