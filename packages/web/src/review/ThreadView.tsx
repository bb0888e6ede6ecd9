import { randomId } from '@moorage/client';
import { type Annotation, anchorOf } from '@moorage/protocol';
import { useState } from 'react';
import { agoOf, plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { showFailure } from '../ui/toasts.js';
import { useNow } from '../ui/use-now.js';
import { visible } from '../ui/visible.js';
import { useCommentDraft } from './comment-drafts.js';
import { describeLines, linesIn } from './lines.js';
import { useReviewActions } from './review-actions.js';
import type { Sent } from './send-comments.js';
import { ThreadEntry } from './ThreadEntry.js';
import { isOutdated, type ThreadLocation } from './threads.js';

interface Props {
  readonly annotation: Annotation;
  readonly apart: ThreadLocation['apart'];
}

/** A thread of comments with a reply field. A resolved thread is folded into one line. */
export function ThreadView({ annotation, apart }: Props) {
  const actions = useReviewActions();
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const { id, entries, resolved } = annotation;
  const sent = actions.sent.get(id);
  if (resolved && !shown)
    return (
      <section className="thread folded" aria-label="Comments" data-resolved>
        <button type="button" className="link" onClick={() => setShown(true)}>
          <Icon name="check" /> {plural(entries.length, 'comment')}, resolved
        </button>
        {actions.canComment && (
          <button type="button" className="link" onClick={() => actions.setResolved(id, false)}>
            Reopen
          </button>
        )}
      </section>
    );
  return (
    <section className="thread" aria-label="Comments" data-resolved={resolved || undefined}>
      <Where annotation={annotation} apart={apart} />
      {entries.map((entry) => (
        <ThreadEntry key={entry.id} annotationId={id} entry={entry} canRemove={entries.length > 1} />
      ))}
      {!resolved && actions.canComment && <ReplyField annotationId={id} />}
      {asking ? (
        <InlineQuestion
          label="Delete the comments"
          action="Delete"
          onYes={() => actions.removeThread(id)}
          onNo={() => setAsking(false)}
        >
          {entries.length > 1 ? `This deletes all ${entries.length} comments` : 'This deletes the comment'} for
          everyone.
        </InlineQuestion>
      ) : (
        <div className="thread-foot">
          {actions.canComment && (
            <button type="button" className="link" onClick={() => actions.setResolved(id, !resolved)}>
              {resolved ? 'Reopen' : 'Resolve'}
            </button>
          )}
          {actions.sendThread && !resolved && (
            <button type="button" className="link" onClick={() => actions.sendThread?.(annotation)}>
              {sent ? 'Send again' : 'Send to the agent'}
            </button>
          )}
          {sent && <SentMark {...sent} />}
          {resolved && (
            <button type="button" className="link" onClick={() => setShown(false)}>
              Fold
            </button>
          )}
          <span className="spring" />
          {actions.canComment && (
            <button type="button" className="link" onClick={() => setAsking(true)}>
              Delete
            </button>
          )}
        </div>
      )}
    </section>
  );
}

function SentMark({ isQueued, at = '' }: Sent) {
  const now = useNow();
  if (isQueued) return <span className="quiet sent-mark">Queued for the agent</span>;
  return (
    <span className="quiet sent-mark" title={at && new Date(at).toLocaleString()}>
      <Icon name="check" /> Sent to the agent {agoOf(Date.parse(at), now)}
    </span>
  );
}

/** Says why the thread does not belong to the line above it: its lines have changed, or it is about another version. */
function Where({ annotation, apart }: Props) {
  const outdated = isOutdated(annotation);
  if (!apart && !outdated) return null;
  const { range } = annotation;
  const quote = outdated ? anchorOf(annotation)?.quote : undefined;
  const { from, to } = range ? linesIn(range) : { from: 0, to: 0 };
  return (
    <div className="thread-where">
      <span className="tag">{outdated ? 'outdated' : 'another version'}</span>{' '}
      <span className="quiet">
        {range && `On ${describeLines(from, to)} `}
        {outdated ? 'of a version that has changed since.' : 'of another version of this file.'}
      </span>
      {apart && quote && <pre className="thread-quote">{visible(quote)}</pre>}
    </div>
  );
}

function ReplyField({ annotationId }: { readonly annotationId: string }) {
  const { draftScope, saveEntry } = useReviewActions();
  const [text, setText] = useCommentDraft(`${draftScope} answer ${annotationId}`);
  const send = () => {
    const reply = text.trim();
    if (!reply) return;
    setText('');
    const saving = saveEntry(annotationId, randomId(), reply);
    saving.catch(() => setText(reply));
    showFailure(saving);
  };
  return (
    <input
      type="text"
      placeholder="Reply"
      aria-label="Reply"
      dir="auto"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) send();
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
