import { draftName } from './comment-drafts.js';
import type { ReviewFile } from './file.js';
import { describeLines } from './lines.js';
import { useReviewActions } from './review-actions.js';
import type { LineRange } from './rows.js';
import { ThreadForm } from './ThreadForm.js';

/** The form for a new comment. */
export function CommentEditor({ file, range }: { readonly file: ReviewFile; readonly range: LineRange }) {
  const { draftScope, comment, saveComment } = useReviewActions();
  return (
    <div className="thread editor">
      <ThreadForm
        draft={`${draftScope} ${draftName(range)}`}
        label="Comment"
        placeholder={`Comment on ${describeLines(range.from, range.to)}`}
        action="Comment"
        onSave={(text) => saveComment(file, range, text)}
        onClose={() => comment(undefined)}
      />
    </div>
  );
}
