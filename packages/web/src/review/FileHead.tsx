import { useContext } from 'react';
import { CommentCount } from '../ui/CommentCount.js';
import { Counts } from '../ui/Counts.js';
import { IconButton } from '../ui/IconButton.js';
import { useMedia } from '../ui/use-media.js';
import { PHONE } from '../ui/widths.js';
import type { ReviewFile } from './file.js';
import { OperationList } from './OperationList.js';
import { fileTarget } from './ranges.js';
import { useReviewActions } from './review-actions.js';
import { ViewedContext } from './viewed.js';

interface Props {
  readonly file: ReviewFile;
  /** Identifies this head: a file can have one in the list and one that sticks to the top. */
  readonly place: string;
}

/** The header of a file: how it changed, and the operations on it. */
export function FileHead({ file, place }: Props) {
  const actions = useReviewActions();
  const hasViewed = useContext(ViewedContext) !== undefined;
  const isPhone = useMedia(PHONE);
  const collapsed = actions.isCollapsed(file);
  const slash = file.path.lastIndexOf('/') + 1;
  return (
    <div className="file-head" data-reviewed={file.reviewed || undefined}>
      <IconButton
        icon="chevron"
        label={`${collapsed ? 'Unfold' : 'Fold'} ${file.path}`}
        className="fold-file"
        aria-expanded={!collapsed}
        onClick={() => actions.toggleFile(file)}
      />
      <span className={`letter letter-${file.letter}`} title={LETTERS[file.letter]}>
        {file.letter}
      </span>
      <bdi className="path" title={file.path}>
        <span className="path-folder">{file.path.slice(0, slash)}</span>
        <span className="path-name">{file.path.slice(slash)}</span>
      </bdi>
      {file.from && <bdi className="quiet from">from {file.from}</bdi>}
      <Counts added={file.added} removed={file.removed} />
      <CommentCount count={actions.openComments(file)} />
      {actions.isChanged(file) && !file.reviewed && (
        <span className="tag changed" title="It has changed since you saw it">
          changed
        </span>
      )}
      {file.inIndex && (
        <span className="tag" title={INDEX_TITLES[file.inIndex]}>
          {file.inIndex}
        </span>
      )}
      {file.notes.map((note) => (
        <span key={note} className="tag">
          {note}
        </span>
      ))}
      <span className="spring" />
      {hasViewed && (
        <label className="viewed">
          <input
            type="checkbox"
            checked={file.reviewed}
            onChange={({ target }) => actions.setViewed(file, target.checked)}
          />{' '}
          Viewed
        </label>
      )}
      <span className="file-operations">
        <OperationList
          scope="resource"
          target={fileTarget(file)}
          place={place}
          max={isPhone ? 0 : 2}
          onRun={actions.deselect}
        />
      </span>
    </div>
  );
}

const INDEX_TITLES: Readonly<Record<string, string>> = {
  conflict: 'Resolve it, and mark it as resolved with git add',
  'only staged': 'The next commit would have this; the file itself is as in the last commit',
  'partly staged': 'The index has something else than the file',
};

const LETTERS = { A: 'Added', M: 'Modified', D: 'Deleted', R: 'Renamed' } as const;
