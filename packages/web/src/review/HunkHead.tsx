import type { DiffLine } from '../diff/compute.js';
import { plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import type { ReviewFile } from './file.js';
import { OperationButton } from './OperationButton.js';
import { hunkRange, rangeTarget } from './ranges.js';
import { useReviewActions } from './review-actions.js';
import { useOperations } from './use-operations.js';

interface Props {
  readonly file: ReviewFile;
  readonly lines: readonly DiffLine[];
  readonly gap: string | undefined;
  readonly hidden: number;
}

/** The line above a hunk: what is folded away before it, and what can be done with it. */
export function HunkHead({ file, lines, gap, hidden }: Props) {
  const operations = useOperations();
  const { selection, comment, openGap } = useReviewActions();
  const whole = hunkRange(file, lines);
  const isChosen = selection?.file === file.id && lines.some((line) => contains(selection, line));
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
          {isChosen && <span className="quiet">{describe(range.from, range.to)}</span>}
          <button type="button" className="link" onClick={() => comment(range)}>
            <Icon name="comment" /> Comment
          </button>
          {operations.of('range').map((operation) => (
            <OperationButton key={operation.id} operation={operation} target={rangeTarget(file, range)} />
          ))}
        </span>
      )}
    </div>
  );
}

function contains({ side, from, to }: { side: 'before' | 'after'; from: number; to: number }, line: DiffLine): boolean {
  const number = side === 'before' ? line.oldLine : line.newLine;
  return number !== undefined && number >= from && number <= to;
}

function describe(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}
