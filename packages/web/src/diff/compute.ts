import { diffArrays } from 'diff';

type LineKind = 'same' | 'added' | 'removed';

/** One line of a diff. Line numbers count from 1, and are missing for the side that does not have the line. */
export interface DiffLine {
  readonly kind: LineKind;
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
}

/** With more edits than this, lines are not matched: all old lines are shown as removed and all new ones as added. */
const MAX_EDITS = 20_000;
/** Milliseconds after which a comparison gives up in the same way. */
const TIMEOUT_MS = 1_000;

/** Compares two texts line by line. */
export function diffLines(before: string, after: string, ignoreWhitespace: boolean): DiffLine[] {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const compared = diffArrays(oldLines, newLines, {
    maxEditLength: MAX_EDITS,
    timeout: TIMEOUT_MS,
    ...(ignoreWhitespace && { comparator: (a: string, b: string) => squeezed(a) === squeezed(b) }),
  });
  if (!compared) return [...oldLines.map(removed(0)), ...newLines.map(added(0))];
  const lines: DiffLine[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const { count, added: isAdded, removed: isRemoved } of compared) {
    if (isRemoved) lines.push(...oldLines.slice(oldAt, oldAt + count).map(removed(oldAt)));
    else if (isAdded) lines.push(...newLines.slice(newAt, newAt + count).map(added(newAt)));
    else for (let i = 0; i < count; i++) lines.push(same(newLines[newAt + i] ?? '', oldAt + i + 1, newAt + i + 1));
    if (!isAdded) oldAt += count;
    if (!isRemoved) newAt += count;
  }
  return lines;
}

/** Like in git, a last line without a newline differs from one with it. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}${NO_NEWLINE}`];
}

/** Marks a last line without a newline. Not a Unicode character, so no text contains it. */
export const NO_NEWLINE = '\uFFFF';

function squeezed(line: string): string {
  return line.replace(/\s+/g, '');
}

const removed =
  (start: number) =>
  (text: string, index: number): DiffLine => ({ kind: 'removed', text, oldLine: start + index + 1 });
const added =
  (start: number) =>
  (text: string, index: number): DiffLine => ({ kind: 'added', text, newLine: start + index + 1 });
const same = (text: string, oldLine: number, newLine: number): DiffLine => ({ kind: 'same', text, oldLine, newLine });
