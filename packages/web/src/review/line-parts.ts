import type { DiffLine } from '../diff/compute.js';
import { changedWords, type WordPiece } from '../diff/words.js';
import type { Highlight } from '../markdown/highlighter.js';
import type { StyledPiece } from '../markdown/styled-lines.js';
import type { FileDiff } from './file-diff.js';

type Lines = Extract<FileDiff, { kind: 'lines' }>;

const styles = new WeakMap<FileDiff, { before?: StyledPiece[][] | undefined; after?: StyledPiece[][] | undefined }>();

/** Syntax colours and word marks of one line. A file is highlighted once, when its first line comes into view. */
export function partsOf(
  diff: FileDiff,
  line: DiffLine,
  highlight: Highlight | undefined,
): { words: readonly WordPiece[] | undefined; styled: readonly StyledPiece[] | undefined } {
  if (diff.kind !== 'lines') return { words: undefined, styled: undefined };
  const other = diff.others.get(line);
  const old = line.kind === 'removed';
  return {
    words: other && changedWords(line.text, other.text, old ? 'old' : 'new'),
    styled: styledLine(diff, line, highlight),
  };
}

function styledLine(diff: Lines, line: DiffLine, highlight: Highlight | undefined): readonly StyledPiece[] | undefined {
  if (!highlight || diff.language === undefined) return undefined;
  let styled = styles.get(diff);
  if (!styled) {
    styled = { before: highlight(diff.before, diff.language), after: highlight(diff.after, diff.language) };
    styles.set(diff, styled);
  }
  const number = line.kind === 'removed' ? line.oldLine : line.newLine;
  return (line.kind === 'removed' ? styled.before : styled.after)?.[(number ?? 0) - 1];
}
