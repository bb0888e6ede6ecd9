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
  readonly line: DiffLine;
}

/** A line of a unified diff. */
export function LineRow({ file, diff, line }: Props) {
  const { words, styled } = partsOf(diff, line, useHighlighter());
  return (
    <div className={`diff-line ${line.kind}`} data-touched={useTouched(file, line) || undefined}>
      <BlameLabel file={file} line={line} />
      <LineNumber file={file} side="before" line={line.oldLine} />
      <LineNumber file={file} side="after" line={line.newLine} />
      <span className="sign">{SIGNS[line.kind]}</span>
      <span className="line-text">
        <LineText text={line.text} words={words} styled={styled} found={useContext(SearchContext)} />
      </span>
    </div>
  );
}

const SIGNS = { added: '+', removed: '−', same: ' ' } as const;
