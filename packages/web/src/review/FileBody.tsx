import { ImagePair } from '../diff/InlineDiff.js';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { useReviewActions } from './review-actions.js';

/** The body of a file without diff lines: a picture, or a note why there are none. */
export function FileBody({ file, diff }: { readonly file: ReviewFile; readonly diff: FileDiff }) {
  const { showLarge, retry } = useReviewActions();
  if (diff.kind === 'image') return <ImagePair before={diff.before} after={diff.after} />;
  if (diff.kind === 'lines') return null;
  return (
    <p className="diff-note">
      {diff.text}{' '}
      {diff.offer === 'retry' && (
        <button type="button" className="link" onClick={() => retry(file)}>
          Try again
        </button>
      )}
      {diff.offer === 'show' && (
        <button type="button" className="link" onClick={() => showLarge(file)}>
          Show
        </button>
      )}
    </p>
  );
}
