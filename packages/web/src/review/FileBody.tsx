import { ImagePair } from '../diff/InlineDiff.js';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { useReviewActions } from './review-actions.js';

/** What a file shows when it has no lines to show, or not yet. */
export function FileBody({ file, diff }: { readonly file: ReviewFile; readonly diff: FileDiff | undefined }) {
  const { showLarge } = useReviewActions();
  if (!diff) {
    const lines = Math.min(28, (file.added ?? 0) + (file.removed ?? 0) + 5);
    return (
      <div className="diff-note loading" aria-busy="true" style={{ height: lines * 20 }}>
        Loading…
      </div>
    );
  }
  if (diff.kind === 'image') return <ImagePair before={diff.before} after={diff.after} />;
  if (diff.kind === 'lines') return null;
  return (
    <p className="diff-note">
      {diff.text}{' '}
      {diff.large && (
        <button type="button" className="link" onClick={() => showLarge(file)}>
          Show it anyway
        </button>
      )}
    </p>
  );
}
