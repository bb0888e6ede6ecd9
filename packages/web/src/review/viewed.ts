import type { Mirror } from '@moorage/client';
import type { SessionState } from '@moorage/protocol';
import { createContext, useMemo } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import type { Run } from '../diff/runs.js';
import { plural } from '../ui/format.js';
import { showFailure, showToast } from '../ui/toasts.js';
import type { ReviewFile } from './file.js';
import type { LineRange } from './rows.js';

/** Marks what the user has looked at. The host keeps it, for everybody. */
export interface Viewed {
  setFile(file: ReviewFile, isViewed: boolean): void;
  /** Marks many at once, and offers to undo that. */
  setAll(files: readonly ReviewFile[], isViewed: boolean): void;
  /** Undefined if the host marks only whole files. */
  readonly setLines: ((file: ReviewFile, lines: LineRange, isViewed: boolean) => void) | undefined;
}

/** Undefined if the host keeps no marks, or lets this person make none. */
export const ViewedContext = createContext<Viewed | undefined>(undefined);

/** Whether all of these changes of a file were viewed. */
export function areViewed(file: ReviewFile, changes: readonly Run[]): boolean {
  return file.reviewed || (changes.length > 0 && changes.every(({ after }) => file.reviewedHunks.has(after.start)));
}

export function useViewed(
  uri: string,
  mirror: Mirror<'changeset'> | undefined,
  { changesets }: SessionState,
  hasLines: boolean,
): Viewed | undefined {
  const client = useClient();
  const { may } = useRights();
  const isOffered = may('review') && (changesets?.some(({ capabilities }) => capabilities?.review) ?? false);
  return useMemo(() => {
    if (!isOffered) return undefined;
    const setLines = (file: ReviewFile, { side, from, to }: LineRange, reviewed: boolean) => {
      const lines = { start: from - 1, count: to - from + 1 };
      showFailure(client.request('moorage/reviewLines', { channel: uri, file: file.id, side, lines, reviewed }));
    };
    const mark = (files: readonly ReviewFile[], reviewed: boolean) =>
      mirror?.dispatch({ type: 'changeset/filesReviewChanged', files: files.map(({ id }) => id), reviewed });
    return {
      setFile: (file, reviewed) => showFailure(mark([file], reviewed)),
      setAll(files, reviewed) {
        const done = mark(files, reviewed)?.then(() =>
          showToast({
            tone: 'done',
            text: `${plural(files.length, 'file')} marked as ${reviewed ? 'viewed' : 'not viewed'}.`,
            action: { label: 'Undo', run: () => showFailure(mark(files, !reviewed)) },
          }),
        );
        showFailure(done);
      },
      setLines: hasLines ? setLines : undefined,
    };
  }, [client, uri, mirror, isOffered, hasLines]);
}
