import type { DiffLine } from '../diff/compute.js';
import { plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import type { ReviewFile } from './file.js';
import { describeLines } from './lines.js';
import { OperationList } from './OperationList.js';
import { hasLines, hunkRange, rangeTarget } from './ranges.js';
import { useReviewActions } from './review-actions.js';

interface Props {
  readonly file: ReviewFile;
  readonly place: string;
  readonly lines: readonly DiffLine[];
  readonly gap: string | undefined;
  readonly hidden: number;
}

/** The line above a hunk: what is folded away before it, and what can be done with it. */
export function HunkHead({ file, place, lines, gap, hidden }: Props) {
  const { selection, deselect, comment, openGap } = useReviewActions();
  const whole = hunkRange(file, lines);
  const isChosen = selection?.file === file.id && hasLines(selection, lines);
  const range = isChosen ? selection : whole;
  return (
    <div className="hunk-head" data-chosen={isChosen || undefined}>
      {gap === undefined ? (
        <span className="hunk-place" />
      ) : (
        <button type="button" className="link hunk-gap" onClick={() => openGap(file, gap)}>
          <span aria-hidden="true">⋯</span> {plural(hidden, 'line')}
        </button>
      )}
      <span className="spring" />
      {range && (
        <span className="hunk-operations">
          {isChosen && <span className="quiet">{describeLines(range.from, range.to)}</span>}
          <button type="button" className="link" onClick={() => comment(range)}>
            <Icon name="comment" /> Comment
          </button>
          <OperationList scope="range" target={rangeTarget(file, range)} place={place} max={4} onRun={deselect} />
        </span>
      )}
    </div>
  );
}
