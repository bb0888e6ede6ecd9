import { commonLines, differingLines } from '../../../lines/common-lines.js';

/** Bytes at the start of a file in which git looks for a zero byte to tell binary from text. */
const BINARY_PROBE_BYTES = 8_000;

/** Edits up to which git's own search is exhaustive: it takes shortcuts from 256 on, and searches from both ends. */
const MAX_EDITS = 200;

/**
 * Counts added and removed lines where git's answer is certain; undefined when git itself must be asked. Git leaves
 * frequent lines out of its search and gives up early on large rewrites, so it does not always find the shortest edit.
 * Only cases in which it provably does are answered here.
 */
export function countLines(before: Buffer, after: Buffer): { added: number; removed: number } | 'binary' | undefined {
  if (isBinary(before) || isBinary(after)) return 'binary';
  const [older, newer] = [linesOf(before), linesOf(after)];
  const { gone, added } = differingLines(older, newer);
  if (gone.length === 0 || added.length === 0) return { added: added.length, removed: gone.length };
  if (occursOften(gone, newer, older.length) || occursOften(added, older, newer.length)) return undefined;
  const common = commonLines(gone, added, MAX_EDITS)?.length;
  return common === undefined ? undefined : { added: added.length - common, removed: gone.length - common };
}

function isBinary(content: Buffer): boolean {
  return content.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

/** A last line without a line end is marked, so that it differs from the same line with one. */
function linesOf(content: Buffer): string[] {
  const lines = content.toString('latin1').split('\n');
  const last = lines.pop() ?? '';
  if (last !== '') lines.push(`${last}\n`);
  return lines;
}

/** Whether any of the lines is so frequent in the other file that git may leave it out of its search. */
function occursOften(lines: readonly string[], other: readonly string[], total: number): boolean {
  const wanted = new Map(lines.map((line) => [line, 0]));
  const often = roughSquareRoot(total);
  for (const line of other) {
    const count = wanted.get(line);
    if (count === undefined) continue;
    if (count + 1 >= often) return true;
    wanted.set(line, count + 1);
  }
  return false;
}

/** Git's own approximation: a power of two. */
function roughSquareRoot(n: number): number {
  let root = 1;
  for (let left = n; left > 0; left = Math.floor(left / 4)) root *= 2;
  return root;
}
