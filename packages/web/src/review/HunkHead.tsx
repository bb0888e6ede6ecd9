import { useContext } from 'react';
import { plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { describeLines } from './lines.js';
import { OperationList } from './OperationList.js';
import { changesIn, describeChanges, hasLines, hunkRange, rangeTarget } from './ranges.js';
import { useReviewActions } from './review-actions.js';
import { placeOf, type Row } from './rows.js';
import { areViewed, ViewedContext } from './viewed.js';

/** The line above a hunk: the lines folded before it, and the operations on the hunk or on selected lines of it. */
export function HunkHead({ row }: { readonly row: Row & { readonly kind: 'hunk' } }) {
  const { selection, deselect, comment, canComment, openGap } = useReviewActions();
  const { file, diff, lines, gap, hidden } = row;
  const isChosen = selection?.file === file.id && hasLines(selection, lines);
  const range = isChosen ? selection : hunkRange(file, lines);
  const changes = range ? changesIn(diff, range) : [];
  const chosen = isChosen ? describeLines(selection.from, selection.to) : undefined;
  const about = describeChanges(file, changes);
  const isStaged = changes.length > 0 && changes.every(({ after }) => file.stagedHunks.has(after.start));
  const viewed = useContext(ViewedContext);
  return (
    <div className="hunk-head" data-chosen={isChosen || undefined}>
      {gap === undefined ? (
        <span className="hunk-place" />
      ) : (
        <button type="button" className="link hunk-gap" onClick={() => openGap(file, gap)}>
          <span aria-hidden="true">⋯</span> {plural(hidden, 'line')}
        </button>
      )}
      {isStaged && <span className="tag">staged</span>}
      <span className="spring" />
      {range && (
        <span className="hunk-operations">
          {viewed?.setLines && changes.length > 0 && (
            <label className="viewed">
              <input
                type="checkbox"
                checked={areViewed(file, changes)}
                onChange={({ target }) => viewed.setLines?.(file, range, target.checked)}
              />{' '}
              Viewed
            </label>
          )}
          {chosen && (
            <span className="quiet" title={chosen}>
              {chosen}
            </span>
          )}
          {canComment && (
            <button type="button" className="link" onClick={() => comment(range)}>
              <Icon name="comment" /> Comment
            </button>
          )}
          {chosen && changes.length > 0 && about !== chosen && (
            <span className="quiet" title={about}>
              {about}
            </span>
          )}
          {changes.length > 0 && (
            <OperationList
              scope="range"
              target={rangeTarget(file, range)}
              about={about}
              place={placeOf(row)}
              max={4}
              onRun={deselect}
            />
          )}
        </span>
      )}
    </div>
  );
}
