import type { Hunk, LineSpan } from '../../ports/contents.js';

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads the hunks of `git diff --unified=0` of one file; undefined when git says that it is not text. */
export function parseHunks(output: Buffer): Hunk[] | undefined {
  const lines = output.toString('latin1').split('\n');
  if (lines.some((line) => line.startsWith('Binary files '))) return undefined;
  return lines.flatMap((line) => {
    const found = HEADER.exec(line);
    return found ? [{ before: span(found[1], found[2]), after: span(found[3], found[4]) }] : [];
  });
}

/** Git counts from 1, and names the line before the place where there are none. */
function span(start: string | undefined, count: string | undefined): LineSpan {
  const lines = count === undefined ? 1 : Number(count);
  return { start: Number(start) - (lines === 0 ? 0 : 1), count: lines };
}
