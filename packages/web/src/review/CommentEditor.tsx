import { useState } from 'react';
import type { ReviewFile } from './file.js';
import { useReviewActions } from './review-actions.js';
import type { LineRange } from './rows.js';

/** Where a new comment is written. */
export function CommentEditor({ file, range }: { readonly file: ReviewFile; readonly range: LineRange }) {
  const actions = useReviewActions();
  const [text, setText] = useState('');
  const save = () => {
    if (text.trim()) actions.saveComment(file, range, text.trim());
  };
  return (
    <div className="thread editor">
      <textarea
        aria-label="Comment"
        placeholder={`Comment on ${range.from === range.to ? `line ${range.from}` : `lines ${range.from} to ${range.to}`}`}
        rows={3}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to write this
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          if (event.key === 'Escape') actions.comment(undefined);
        }}
      />
      <div className="form-end">
        <button type="button" className="button" onClick={() => actions.comment(undefined)}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={!text.trim()} onClick={save}>
          Comment
        </button>
      </div>
    </div>
  );
}
