import type { Hunk, LineSpan } from '../../ports/contents.js';

export type Side = 'before' | 'after';

/**
 * The hunks that a range of lines on one side touches. A hunk without lines on that side lies between two lines, and is
 * touched by a range that includes either of them.
 */
export function touchedHunks(hunks: readonly Hunk[], side: Side, lines: LineSpan): Hunk[] {
  const end = lines.start + lines.count;
  return hunks.filter(({ [side]: span }) =>
    span.count === 0
      ? lines.start <= span.start && span.start <= end
      : lines.start < span.start + span.count && span.start < end,
  );
}

/** The text with these hunks replaced by what the other side has there; every other line stays as it is. */
export function exchangeHunks(text: Uint8Array, other: Uint8Array, side: Side, hunks: readonly Hunk[]): Uint8Array {
  const otherSide = side === 'before' ? 'after' : 'before';
  const [lines, others] = [lineStarts(text), lineStarts(other)];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const hunk of [...hunks].sort((a, b) => a[side].start - b[side].start)) {
    const { start, count } = hunk[side];
    const replacement = hunk[otherSide];
    parts.push(text.subarray(at, lines[start]));
    parts.push(other.subarray(others[replacement.start], others[replacement.start + replacement.count]));
    at = lines[start + count] ?? text.length;
  }
  parts.push(text.subarray(at));
  return Buffer.concat(parts);
}

/** The text that each hunk removes, and the text that it adds. */
export function hunkText(
  before: Uint8Array,
  after: Uint8Array,
  hunks: readonly Hunk[],
): { hunk: Hunk; removed: Uint8Array; added: Uint8Array }[] {
  const [old, now] = [lineStarts(before), lineStarts(after)];
  const cut = (text: Uint8Array, starts: readonly number[], { start, count }: LineSpan) =>
    text.subarray(starts[start], starts[start + count]);
  return hunks.map((hunk) => ({
    hunk,
    removed: cut(before, old, hunk.before),
    added: cut(after, now, hunk.after),
  }));
}

/** The single hunk of a file that was created or deleted. Empty for an empty file. */
export function wholeHunk(content: Uint8Array, side: Side): Hunk[] {
  const count = lineStarts(content).length - 1;
  if (count === 0) return [];
  const [all, none] = [
    { start: 0, count },
    { start: 0, count: 0 },
  ];
  return [side === 'after' ? { before: none, after: all } : { before: all, after: none }];
}

/** Names lines for people, who count them from 1. */
export function describeLines(spans: readonly LineSpan[]): string {
  const names = spans.slice(0, MOST_NAMED).map(({ start, count }) => {
    if (count === 0) return `after line ${start}`;
    return count === 1 ? `line ${start + 1}` : `lines ${start + 1}-${start + count}`;
  });
  return spans.length > MOST_NAMED ? `${names.join(', ')} and more` : names.join(', ');
}

/** Places that a message names before it says "and more". */
const MOST_NAMED = 5;

const NEWLINE = 0x0a;

/** The offset at which each line begins, and that at which the last one ends. */
export function lineStarts(text: Uint8Array): number[] {
  const starts = [0];
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}
