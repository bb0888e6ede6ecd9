import type { DiffLine } from './compute.js';

/** Changed lines with their context, or unchanged lines that are folded. */
export type DiffSection =
  | { readonly kind: 'hunk'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'gap'; readonly lines: readonly DiffLine[]; readonly key: string };

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** Hiding fewer lines than this would take more space than it saves. */
const MIN_FOLD = 4;

export function sectionsOf(lines: readonly DiffLine[], opened: ReadonlySet<string> = new Set()): DiffSection[] {
  const shown = shownLines(lines);
  const sections: DiffSection[] = [];
  let start = 0;
  while (start < lines.length) {
    let end = start;
    while (end < lines.length && shown[end] === shown[start]) end++;
    const run = lines.slice(start, end);
    const key = `gap-${start}`;
    const last = sections.at(-1);
    const isShort = !shown[start] && run.length < MIN_FOLD;
    if (shown[start] || isShort || opened.has(key)) {
      // An unfolded gap joins its neighbours into one hunk.
      if (last?.kind === 'hunk') sections[sections.length - 1] = { kind: 'hunk', lines: [...last.lines, ...run] };
      else sections.push({ kind: 'hunk', lines: run });
    } else sections.push({ kind: 'gap', lines: run, key });
    start = end;
  }
  return sections;
}

function shownLines(lines: readonly DiffLine[]): boolean[] {
  const shown = new Array<boolean>(lines.length).fill(false);
  lines.forEach((line, index) => {
    if (line.kind === 'same') return;
    for (let i = Math.max(0, index - CONTEXT); i <= Math.min(lines.length - 1, index + CONTEXT); i++) shown[i] = true;
  });
  return shown;
}
