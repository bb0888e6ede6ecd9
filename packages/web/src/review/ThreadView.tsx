import { randomId } from '@ahpd/client';
import { type Annotation, anchorOf } from '@ahpd/protocol';
import { useState } from 'react';
import { AskInPlace } from '../ui/AskInPlace.js';
import { plural } from '../ui/format.js';
import { Icon } from '../ui/Icon.js';
import { orTell } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { useCommentDraft } from './comment-drafts.js';
import { describeLines, linesIn } from './lines.js';
import { useReviewActions } from './review-actions.js';
import { ThreadEntry } from './ThreadEntry.js';
import { isOutdated, type ThreadPlace } from './threads.js';

interface Props {
  readonly annotation: Annotation;
  readonly apart: ThreadPlace['apart'];
}

/** Comments on a place, with a way to answer. One that is settled is a line until somebody opens it. */
export function ThreadView({ annotation, apart }: Props) {
  const actions = useReviewActions();
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const { id, entries, resolved } = annotation;
  if (resolved && !shown)
    return (
      <section className="thread folded" aria-label="Comments" data-resolved>
        <button type="button" className="link" onClick={() => setShown(true)}>
          <Icon name="check" /> {plural(entries.length, 'comment')}, resolved
        </button>
        <button type="button" className="link" onClick={() => actions.setResolved(id, false)}>
          Open again
        </button>
      </section>
    );
  return (
    <section className="thread" aria-label="Comments" data-resolved={resolved || undefined}>
      <Where annotation={annotation} apart={apart} />
      {entries.map((entry) => (
        <ThreadEntry key={entry.id} annotationId={id} entry={entry} canRemove={entries.length > 1} />
      ))}
      {!resolved && <Answer annotationId={id} />}
      {asking ? (
        <AskInPlace
          label="Delete the comments"
          action="Delete"
          onYes={() => actions.removeThread(id)}
          onNo={() => setAsking(false)}
        >
          {entries.length > 1 ? `All ${entries.length} comments go` : 'It goes'} for everybody.
        </AskInPlace>
      ) : (
        <div className="thread-foot">
          <button type="button" className="link" onClick={() => actions.setResolved(id, !resolved)}>
            {resolved ? 'Open again' : 'Resolve'}
          </button>
          {actions.sendThread && !resolved && (
            <button type="button" className="link" onClick={() => actions.sendThread?.(annotation)}>
              Send to the agent
            </button>
          )}
          {resolved && (
            <button type="button" className="link" onClick={() => setShown(false)}>
              Fold
            </button>
          )}
          <span className="spring" />
          <button type="button" className="link" onClick={() => setAsking(true)}>
            Delete
          </button>
        </div>
      )}
    </section>
  );
}

/** Says when the lines are not those above: they were changed, or this is another version of the file. */
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

function Answer({ annotationId }: { readonly annotationId: string }) {
  const { draftScope, saveEntry } = useReviewActions();
  const [text, setText] = useCommentDraft(`${draftScope} answer ${annotationId}`);
  const send = () => {
    const said = text.trim();
    if (!said) return;
    setText('');
    const saving = saveEntry(annotationId, randomId(), said);
    saving.catch(() => setText(said));
    orTell(saving);
  };
  return (
    <input
      type="text"
      placeholder="Answer"
      aria-label="Answer"
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
