import type { Annotation } from '@moorage/protocol';
import { createContext, useContext } from 'react';
import type { DiffLine } from '../diff/compute.js';
import { isInRun, type Run } from '../diff/runs.js';
import type { ReviewFile } from './file.js';
import type { LineRange } from './rows.js';
import type { Sent } from './send-comments.js';

/** What the rows of a review can do. */
export interface ReviewActions {
  readonly selection: LineRange | undefined;
  /** The changes that operations on the selection would affect. */
  readonly touched: readonly Run[];
  deselect(): void;
  /** Selects a line, or with `extend` all lines from the one selected before. */
  selectLine(file: ReviewFile, side: 'before' | 'after', line: number, extend: boolean): void;
  comment(range: LineRange | undefined): void;
  /** Whether the person may comment. */
  readonly canComment: boolean;
  saveComment(file: ReviewFile, range: LineRange, text: string): void;
  /** Prefix of draft names, which keeps the drafts of two changesets apart. */
  readonly draftScope: string;
  openComments(file: ReviewFile): number;
  /** Adds an entry to a thread, or replaces one. Settles when the host has accepted it. */
  saveEntry(annotationId: string, entryId: string, text: string): Promise<void>;
  removeEntry(annotationId: string, entryId: string): void;
  /** Sends a thread to the agent; undefined if there is no chat, or the person may not send. */
  readonly sendThread: ((annotation: Annotation) => void) | undefined;
  /** The comments that were sent to the agent, by id. */
  readonly sent: ReadonlyMap<string, Sent>;
  setResolved(annotationId: string, resolved: boolean): void;
  removeThread(annotationId: string): void;
  openGap(file: ReviewFile, gap: string): void;
  toggleFile(file: ReviewFile): void;
  foldFile(file: ReviewFile, isFolded: boolean): void;
  /** Marks a file as viewed, which folds it and goes on to the next one that is not, or takes the mark back. */
  setViewed(file: ReviewFile, isViewed: boolean): void;
  isCollapsed(file: ReviewFile): boolean;
  /** Whether the file has changed since it came into view. */
  isChanged(file: ReviewFile): boolean;
  showLarge(file: ReviewFile): void;
  /** Loads a file again after a failure. */
  retry(file: ReviewFile): void;
}

export const ReviewActionsContext = createContext<ReviewActions | undefined>(undefined);

export function useReviewActions(): ReviewActions {
  const actions = useContext(ReviewActionsContext);
  if (!actions) throw new Error('useReviewActions needs a ReviewActionsContext');
  return actions;
}

/** Whether an operation on the selection would affect this line. */
export function useTouched(file: ReviewFile, line: DiffLine | undefined): boolean {
  const { selection, touched } = useReviewActions();
  return line !== undefined && selection?.file === file.id && touched.some((run) => isInRun(run, line));
}
