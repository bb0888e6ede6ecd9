import { createHash } from 'node:crypto';
import { linesOf, type TextRange } from '@moorage/protocol';
import { CONTEXT_LINES, MAX_LINE_CHARS, MAX_REMEMBERED_LINES } from './limits.js';

/** What is recorded about commented lines, to find them again in other versions of the file. */
export interface Evidence {
  /** The first line, counted from zero, and the number of lines. */
  readonly start: number;
  readonly count: number;
  /** The lines themselves, as keys (see `keyOf`); only the first MAX_REMEMBERED_LINES of them. */
  readonly lines: readonly string[];
  /** The surrounding lines in file order; the ends of the file count as lines. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Hashes of the file's text up to the end of the lines, and from their beginning on. */
  readonly upTo: string;
  readonly onwards: string;
  /** The number of lines in the file. */
  readonly total: number;
  /** The best context score among other places with the same lines; -1 if there were none. */
  readonly rival: number;
}

/** Records lines of a text; undefined if the text has no such lines. */
export function remember(text: string, range: TextRange): Evidence | undefined {
  const keys = keysOf(text);
  const { start, count } = linesOf(range);
  if (start < 0 || count < 1 || start + count > keys.length) return undefined;
  const around = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => keyAt(keys, from + index) ?? '');
  const evidence = {
    start,
    count,
    lines: keys.slice(start, start + Math.min(count, MAX_REMEMBERED_LINES)),
    before: around(Math.max(-1, start - CONTEXT_LINES), start),
    after: around(start + count, Math.min(keys.length + 1, start + count + CONTEXT_LINES)),
    upTo: hashOf(keys, 0, start + count),
    onwards: hashOf(keys, start, keys.length),
    total: keys.length,
    rival: -1,
  };
  const others = occurrences(keys, evidence.lines, sameWords).filter((place) => place !== start);
  const scores = others.map((place) => contextScore(evidence, keys, place));
  return { ...evidence, rival: scores.reduce((best, score) => Math.max(best, score), -1) };
}

/** The text of the lines in a range. */
export function textAt(text: string, range: TextRange): string {
  const { start, count } = linesOf(range);
  return text
    .split(LINE_END)
    .slice(start, start + count)
    .join('\n');
}

/** Whether the lines in a range are these. */
export function hasLines(text: string, range: TextRange, lines: string): boolean {
  const wanted = lines.replace(/(\r\n|\n|\r)$/, '').split(LINE_END);
  return textAt(text, range) === wanted.join('\n');
}

const LINE_END = /\r\n|\n|\r/;

/** The lines of a text as comparable keys, without line endings. */
export function keysOf(text: string): string[] {
  const lines = text.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  return lines.map(keyOf);
}

function keyOf(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  return `${line.slice(0, 80)}…${createHash('sha1').update(line).digest('base64')}`;
}

/** The key of a line, with markers before the first and after the last line. */
function keyAt(keys: readonly string[], index: number): string | undefined {
  if (index === -1) return '\0first';
  return index === keys.length ? '\0last' : keys[index];
}

export function hashOf(keys: readonly string[], from: number, to: number): string {
  return createHash('sha1').update(keys.slice(from, to).join('\n')).digest('base64');
}

export type Same = (a: string | undefined, b: string | undefined) => boolean;
export const sameLine: Same = (a, b) => a === b;
/** Ignores indentation, which changes with the surrounding code. */
export const sameWords: Same = (a, b) => a === b || (a !== undefined && b !== undefined && a.trim() === b.trim());

/** Every position where these lines occur in a row. */
export function occurrences(keys: readonly string[], lines: readonly string[], same: Same): number[] {
  const places: number[] = [];
  for (let at = 0; at + lines.length <= keys.length; at++) {
    if (lines.every((line, index) => same(keys[at + index], line))) places.push(at);
  }
  return places;
}

/** How well the context of a position matches: counts equal lines from there outwards, in both directions. */
export function contextScore({ before, after, count }: Surroundings, keys: readonly string[], at: number): number {
  return scoreBefore(before, keys, at) + scoreAfter(after, keys, at + count);
}

type Surroundings = Pick<Evidence, 'before' | 'after' | 'count'>;

export function scoreBefore(before: readonly string[], keys: readonly string[], at: number): number {
  let score = 0;
  for (let step = 1; step <= before.length; step++) {
    const line = before[before.length - step];
    if (line === undefined || !sameWords(keyAt(keys, at - step), line)) break;
    score += weightOf(line);
  }
  return score;
}

export function scoreAfter(after: readonly string[], keys: readonly string[], at: number): number {
  let score = 0;
  for (const [step, line] of after.entries()) {
    if (!sameWords(keyAt(keys, at + step), line)) break;
    score += weightOf(line);
  }
  return score;
}

/** Braces and blank lines are everywhere, so they count little. */
export function weightOf(line: string): number {
  return lettersIn(line) >= 3 ? 1 : 0.25;
}

export function lettersIn(line: string): number {
  return line.match(/[\p{L}\p{N}_]/gu)?.length ?? 0;
}
