import type { ChangesetOperationTarget, TextRange } from '@moorage/protocol';
import type { DiffLine } from '../diff/compute.js';
import { type Run, touchedRuns } from '../diff/runs.js';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { describeLines } from './lines.js';
import type { LineRange } from './rows.js';

/** The URI of a file, for operations and comments. */
export function resourceOf({ entry }: ReviewFile, side: 'before' | 'after'): string {
  const { before, after } = entry.edit;
  return (side === 'before' ? before?.uri : after?.uri) ?? after?.uri ?? before?.uri ?? entry.id;
}

export function fileTarget(file: ReviewFile): ChangesetOperationTarget {
  return { kind: 'resource', resource: resourceOf(file, file.entry.edit.after ? 'after' : 'before') };
}

export function rangeTarget(file: ReviewFile, { side, from, to }: LineRange): ChangesetOperationTarget {
  return { kind: 'range', resource: resourceOf(file, side), side, range: textRange(from, to) };
}

/** In the protocol, lines count from zero, and the end is the start of the line after the last one. */
export function textRange(from: number, to: number): TextRange {
  return { start: { line: from - 1, character: 0 }, end: { line: to, character: 0 } };
}

/** The changes that an operation on these lines affects: a host never splits a change. */
export function changesIn(diff: FileDiff | undefined, { side, from, to }: LineRange): readonly Run[] {
  return diff?.kind === 'lines' ? touchedRuns(diff.runs(), side, from, to) : [];
}

/** Describes changes for people. An added or deleted file is a single change. */
export function describeChanges({ letter }: ReviewFile, runs: readonly Run[]): string {
  if (letter === 'A' || letter === 'D') return 'the whole file';
  const names = runs.slice(0, MAX_NAMED).map(({ before, after }) => {
    const { start, count } = after.count > 0 ? after : before;
    return `${after.count > 0 ? '' : 'removed '}${describeLines(start + 1, start + count)}`;
  });
  return runs.length > MAX_NAMED ? `${names.join(', ')} and more` : names.join(', ');
}

/** Changes listed before "and more". */
const MAX_NAMED = 3;

/** Whether any of these lines is in a range. */
export function hasLines({ side, from, to }: LineRange, lines: readonly DiffLine[]): boolean {
  return lines.some((line) => {
    const number = side === 'before' ? line.oldLine : line.newLine;
    return number !== undefined && number >= from && number <= to;
  });
}

/** The changed lines of a hunk: the new ones, or the old ones if it only removes lines. */
export function hunkRange(file: ReviewFile, lines: readonly DiffLine[]): LineRange | undefined {
  const changed = lines.map(({ kind }) => kind !== 'same');
  const run = lines.slice(changed.indexOf(true), changed.lastIndexOf(true) + 1);
  const after = run.flatMap(({ newLine }) => newLine ?? []);
  const before = run.flatMap(({ oldLine }) => oldLine ?? []);
  const added = run.some(({ kind }) => kind === 'added');
  const [side, numbers] = added ? (['after', after] as const) : (['before', before] as const);
  const [from, to] = [numbers[0], numbers.at(-1)];
  return from === undefined || to === undefined ? undefined : { file: file.id, side, from, to };
}
