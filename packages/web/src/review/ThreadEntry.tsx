import type { AnnotationEntry } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { plainText, VisibleText } from '../markdown/Text.js';
import { agoOf, timeOf } from '../ui/format.js';
import { IconButton } from '../ui/IconButton.js';
import { showFailure } from '../ui/toasts.js';
import { useNow } from '../ui/use-now.js';
import { visible } from '../ui/visible.js';
import { forgetDraft } from './comment-drafts.js';
import { bylineOf } from './new-annotation.js';
import { useReviewActions } from './review-actions.js';
import { ThreadForm } from './ThreadForm.js';

interface Props {
  readonly annotationId: string;
  readonly entry: AnnotationEntry;
  /** The last entry can only be removed with its thread. */
  readonly canRemove: boolean;
}

/** One comment of a thread. Nobody owns it: everyone who can comment can edit it. */
export function ThreadEntry({ annotationId, entry, canRemove }: Props) {
  const { draftScope, saveEntry, removeEntry, canComment } = useReviewActions();
  const [editing, setEditing] = useState(false);
  const { clientId } = useClient();
  const now = useNow();
  const { author, writtenAt } = bylineOf(entry, clientId);
  const isTimed = timeOf(writtenAt) !== undefined;
  const draft = `${draftScope} entry ${entry.id}`;
  if (editing)
    return (
      <ThreadForm
        draft={draft}
        label="Edit the comment"
        action="Save"
        initial={plainText(entry.text)}
        onClose={() => setEditing(false)}
        onSave={(text) => {
          setEditing(false);
          const saving = saveEntry(annotationId, entry.id, text);
          saving.then(
            () => forgetDraft(draft),
            () => setEditing(true),
          );
          showFailure(saving);
        }}
      />
    );
  return (
    <div className="thread-entry">
      <div className="entry-body">
        {(author || isTimed) && (
          <div className="entry-byline">
            {author && <bdi>{visible(author)}</bdi>}
            {isTimed && (
              <time dateTime={timeOf(writtenAt)} title={new Date(writtenAt).toLocaleString()}>
                {agoOf(writtenAt, now)}
              </time>
            )}
          </div>
        )}
        <div className="entry-text" dir="auto">
          <VisibleText value={entry.text} />
        </div>
      </div>
      {canComment && (
        <span className="entry-actions">
          <IconButton icon="pencil" label="Edit the comment" onClick={() => setEditing(true)} />
          {canRemove && (
            <IconButton icon="trash" label="Delete the comment" onClick={() => removeEntry(annotationId, entry.id)} />
          )}
        </span>
      )}
    </div>
  );
}
