import type { Hunk, LineSpan } from '../../../ports/contents.js';
import { lineStarts } from '../hunks.js';

/** A text, and the hunks by which it differs from the last commit. */
export interface Version {
  readonly text: Uint8Array;
  readonly hunks: readonly Hunk[];
}

/**
 * What is in the index, with these hunks taken from elsewhere: from the file on disk, to stage them, or from the last
 * commit if there is no `source`. What the index has at the same place is replaced, everything else stays staged.
 */
export function replaceInIndex(
  committed: Uint8Array,
  index: Version,
  chosen: readonly Hunk[],
  source?: Version,
): Uint8Array {
  const regions = closed(
    chosen.map(({ before }) => before),
    [...index.hunks, ...(source?.hunks ?? [])].map(({ before }) => before),
  );
  const isReplaced = ({ before }: Hunk) => regions.some((region) => touch(region, before));
  const kept = index.hunks
    .filter((hunk) => !isReplaced(hunk))
    .map(({ before, after }) => ({ before, text: linesOf(index.text, after) }));
  const replaced = regions.map((before) => ({
    before,
    text: source ? linesOf(source.text, regionIn(source, before)) : linesOf(committed, before),
  }));
  const starts = lineStarts(committed);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { before, text } of [...kept, ...replaced].sort((a, b) => a.before.start - b.before.start)) {
    parts.push(committed.subarray(at, starts[before.start]), text);
    at = starts[before.start + before.count] ?? committed.length;
  }
  return Buffer.concat([...parts, committed.subarray(at)]);
}

/** The regions, each grown by all that it touches, so that none cuts through a hunk. */
function closed(regions: readonly LineSpan[], hunks: readonly LineSpan[]): LineSpan[] {
  let grown = [...regions];
  let left = [...hunks];
  for (;;) {
    const touching = left.filter((hunk) => grown.some((region) => touch(region, hunk)));
    if (touching.length === 0) return grown;
    left = left.filter((hunk) => !touching.includes(hunk));
    for (const hunk of touching) {
      const joined = grown.filter((region) => touch(region, hunk));
      grown = [...grown.filter((region) => !joined.includes(region)), union([...joined, hunk])];
    }
  }
}

/** Where the lines of a region of the committed text are in another version. */
function regionIn({ hunks }: Version, region: LineSpan): LineSpan {
  const growth = (some: readonly Hunk[]) =>
    some.reduce((sum, { before, after }) => sum + after.count - before.count, 0);
  const inside = hunks.filter(({ before }) => touch(region, before));
  const earlier = hunks.filter((hunk) => !inside.includes(hunk) && hunk.before.start < region.start);
  return { start: region.start + growth(earlier), count: region.count + growth(inside) };
}

/** Whether two spans are at the same place. One without lines is where it touches another. */
function touch(one: LineSpan, other: LineSpan): boolean {
  const [end, otherEnd] = [one.start + one.count, other.start + other.count];
  if (one.count === 0 || other.count === 0) return one.start <= otherEnd && other.start <= end;
  return one.start < otherEnd && other.start < end;
}

function union(spans: readonly LineSpan[]): LineSpan {
  const start = Math.min(...spans.map((span) => span.start));
  return { start, count: Math.max(...spans.map((span) => span.start + span.count)) - start };
}

function linesOf(text: Uint8Array, { start, count }: LineSpan): Uint8Array {
  const starts = lineStarts(text);
  return text.subarray(starts[start] ?? text.length, starts[start + count] ?? text.length);
}
