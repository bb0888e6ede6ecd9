import type { Annotation } from '@ahpd/protocol';
import { createContext, useContext } from 'react';
import type { DiffLine } from '../diff/compute.js';
import { isInRun, type Run } from '../diff/runs.js';
import type { ReviewFile } from './file.js';
import type { LineRange } from './rows.js';

/** What rows of the review can ask for. */
export interface ReviewActions {
  readonly selection: LineRange | undefined;
  /** The changes that operations on the selection are about. */
  readonly touched: readonly Run[];
  deselect(): void;
  /** Chooses a line, or with `extend` all from the one that was chosen before. */
  selectLine(file: ReviewFile, side: 'before' | 'after', line: number, extend: boolean): void;
  comment(range: LineRange | undefined): void;
  saveComment(file: ReviewFile, range: LineRange, text: string): void;
  /** Before the names of drafts, so that those of two changesets are kept apart. */
  readonly draftScope: string;
  openComments(file: ReviewFile): number;
  /** Adds an entry to a thread, or writes one again. Settles when the host has taken it. */
  saveEntry(annotationId: string, entryId: string, text: string): Promise<void>;
  removeEntry(annotationId: string, entryId: string): void;
  /** Gives a thread to the agent; undefined where there is no chat to say it in. */
  readonly sendThread: ((annotation: Annotation) => void) | undefined;
  setResolved(annotationId: string, resolved: boolean): void;
  removeThread(annotationId: string): void;
  openGap(file: ReviewFile, gap: string): void;
  toggleFile(file: ReviewFile): void;
  isCollapsed(file: ReviewFile): boolean;
  /** Whether it is another one than it was when it came into view. */
  isChanged(file: ReviewFile): boolean;
  showLarge(file: ReviewFile): void;
  /** Reads a file again that could not be read. */
  retry(file: ReviewFile): void;
}

export const ReviewActionsContext = createContext<ReviewActions | undefined>(undefined);

export function useReviewActions(): ReviewActions {
  const actions = useContext(ReviewActionsContext);
  if (!actions) throw new Error('outside of a review');
  return actions;
}

/** Whether an operation on what is chosen would take this line along. */
export function useTouched(file: ReviewFile, line: DiffLine | undefined): boolean {
  const { selection, touched } = useReviewActions();
  return line !== undefined && selection?.file === file.id && touched.some((run) => isInRun(run, line));
}
