import { isTouchScreen } from '../ui/pointer.js';
import type { ReviewFile } from './file.js';
import { useReviewActions } from './review-actions.js';

interface Props {
  readonly file: ReviewFile;
  readonly side: 'before' | 'after';
  readonly line: number | undefined;
}

/** A line number. A click selects the line, with Shift or a second tap all lines up to it; a double click opens a comment. */
export function LineNumber({ file, side, line }: Props) {
  const { selectLine, comment, selection } = useReviewActions();
  if (line === undefined) return <span className="line-number" />;
  const chosen =
    selection?.file === file.id && selection.side === side && line >= selection.from && line <= selection.to;
  const isSecond = selection?.file === file.id && selection.from === selection.to && selection.from !== line;
  return (
    <button
      type="button"
      className="line-number"
      tabIndex={-1}
      data-chosen={chosen || undefined}
      aria-label={`Line ${line}, ${side}`}
      onClick={(event) => selectLine(file, side, line, event.shiftKey || (isSecond && isTouchScreen()))}
      onDoubleClick={() => comment({ file: file.id, side, from: line, to: line })}
    >
      {line}
    </button>
  );
}
