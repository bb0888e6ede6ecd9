import type { Annotation } from '@ahpd/protocol';
import { useState } from 'react';
import { Text } from '../ui/Text.js';
import { useReviewActions } from './review-actions.js';

/** Comments on a place, with a way to answer. */
export function ThreadView({ annotation }: { readonly annotation: Annotation }) {
  const actions = useReviewActions();
  const [text, setText] = useState('');
  const send = () => {
    if (!text.trim()) return;
    actions.reply(annotation.id, text.trim());
    setText('');
  };
  return (
    <section className="thread" aria-label="Comments" data-resolved={annotation.resolved || undefined}>
      {annotation.entries.map((entry) => (
        <div key={entry.id} className="thread-entry">
          <Text value={entry.text} />
        </div>
      ))}
      <div className="thread-foot">
        {!annotation.resolved && (
          <input
            type="text"
            placeholder="Answer"
            aria-label="Answer"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && send()}
          />
        )}
        <button type="button" className="link" onClick={() => actions.setResolved(annotation.id, !annotation.resolved)}>
          {annotation.resolved ? 'Open again' : 'Resolve'}
        </button>
        <button type="button" className="link" onClick={() => actions.removeThread(annotation.id)}>
          Delete
        </button>
      </div>
    </section>
  );
}
