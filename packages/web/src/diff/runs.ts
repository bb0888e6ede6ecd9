import type { DiffLine } from './compute.js';

interface Span {
  /** The number of lines before the span, so that an empty span has a place too. */
  readonly start: number;
  readonly count: number;
}

/** Consecutive changed lines: the smallest unit that a host reverts, stages or keeps. */
export interface Run {
  readonly before: Span;
  readonly after: Span;
}

export function runsOf(lines: readonly DiffLine[]): Run[] {
  const runs: Run[] = [];
  const at = { before: 0, after: 0 };
  let start: { before: number; after: number } | undefined;
  const end = () => {
    if (start) runs.push({ before: span(start.before, at.before), after: span(start.after, at.after) });
    start = undefined;
  };
  for (const { kind } of lines) {
    if (kind === 'same') end();
    else start ??= { ...at };
    if (kind !== 'added') at.before++;
    if (kind !== 'removed') at.after++;
  }
  end();
  return runs;
}

/** The runs that some lines of one side touch. A run that is empty on that side is touched by either of its neighbours. */
export function touchedRuns(runs: readonly Run[], side: 'before' | 'after', from: number, to: number): Run[] {
  return runs.filter(({ [side]: { start, count } }) =>
    count === 0 ? from - 1 <= start && start <= to : from <= start + count && start < to,
  );
}

export function isInRun({ before, after }: Run, { kind, oldLine, newLine }: DiffLine): boolean {
  if (kind === 'same') return false;
  return isInSpan(before, oldLine) || isInSpan(after, newLine);
}

function isInSpan({ start, count }: Span, line: number | undefined): boolean {
  return line !== undefined && line > start && line <= start + count;
}

function span(start: number, end: number): Span {
  return { start, count: end - start };
}
