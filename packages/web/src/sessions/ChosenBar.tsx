import type { ListedSession } from '../connection/session-board.js';
import { plural } from '../ui/format.js';
import { IconButton } from '../ui/IconButton.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { isArchived, isUnread } from './order.js';

interface Props {
  readonly chosen: readonly ListedSession[];
  /** The sessions that are about to be deleted. */
  readonly asking: readonly ListedSession[] | undefined;
  /** Undefined for what the person may not do, as the next two. */
  readonly onArchive: (() => void) | undefined;
  readonly onRead: (() => void) | undefined;
  readonly onAsk: (() => void) | undefined;
  readonly onDelete: () => void;
  readonly onCancel: () => void;
}

/** What can be done with the chosen sessions, and the question before some are deleted. */
export function ChosenBar({ chosen, asking, onArchive, onRead, onAsk, onDelete, onCancel }: Props) {
  if (asking) {
    const what = asking.length === 1 ? 'the session' : plural(asking.length, 'session');
    return (
      <InlineQuestion
        label={`Delete ${what}`}
        action="Delete"
        className="ask-row"
        focus="cancel"
        onYes={onDelete}
        onNo={onCancel}
      >
        Delete {asking.length === 1 ? `“${asking[0]?.title || 'New session'}”` : what} for everyone? Running turns are
        stopped.
      </InlineQuestion>
    );
  }
  if (chosen.length === 0) return null;
  return (
    <div className="chosen-bar" role="toolbar" aria-label="Selected sessions">
      <span>{chosen.length.toLocaleString('en')} selected</span>
      <span className="spring" />
      {onRead && (
        <IconButton
          icon="comment"
          label={chosen.every(isUnread) ? 'Mark as read' : 'Mark as unread'}
          onClick={onRead}
        />
      )}
      {onArchive && (
        <IconButton
          icon="archive"
          label={chosen.every(isArchived) ? 'Unarchive all' : 'Archive all'}
          onClick={onArchive}
        />
      )}
      {onAsk && <IconButton icon="trash" label="Delete all" onClick={onAsk} />}
      <IconButton icon="close" label="Clear the selection" onClick={onCancel} />
    </div>
  );
}
