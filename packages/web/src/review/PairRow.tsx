import { useContext } from 'react';
import type { DiffLine } from '../diff/compute.js';
import { LineText } from '../diff/LineText.js';
import { useHighlighter } from '../markdown/highlighter.js';
import { BlameLabel } from './BlameLabel.js';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { LineNumber } from './LineNumber.js';
import { partsOf } from './line-parts.js';
import { useTouched } from './review-actions.js';
import { SearchContext } from './search.js';

interface Props {
  readonly file: ReviewFile;
  readonly diff: FileDiff;
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/** A row of a side-by-side diff. */
export function PairRow({ file, diff, left, right }: Props) {
  return (
    <div className="diff-pair">
      <Half file={file} diff={diff} line={left} side="before" />
      <Half file={file} diff={diff} line={right} side="after" />
    </div>
  );
}

function Half({
  file,
  diff,
  line,
  side,
}: {
  file: ReviewFile;
  diff: FileDiff;
  line: DiffLine | undefined;
  side: 'before' | 'after';
}) {
  const highlight = useHighlighter();
  const isTouched = useTouched(file, line);
  const found = useContext(SearchContext);
  if (!line) return <div className="diff-line none" />;
  const { words, styled } = partsOf(diff, line, highlight);
  return (
    <div className={`diff-line ${line.kind}`} data-touched={isTouched || undefined}>
      <BlameLabel file={file} line={line} />
      <LineNumber file={file} side={side} line={side === 'before' ? line.oldLine : line.newLine} />
      <span className="line-text">
        <LineText text={line.text} words={words} styled={styled} found={found} />
      </span>
    </div>
  );
}
