import { createContext, useContext } from 'react';
import type { ReviewFile } from './file.js';
import type { LineRange } from './rows.js';

/** What rows of the review can ask for. */
export interface ReviewActions {
  readonly selection: LineRange | undefined;
  select(range: LineRange | undefined): void;
  /** Chooses a line, or with `extend` all from the one that was chosen before. */
  selectLine(file: ReviewFile, side: 'before' | 'after', line: number, extend: boolean): void;
  comment(range: LineRange | undefined): void;
  saveComment(file: ReviewFile, range: LineRange, text: string): void;
  reply(annotationId: string, text: string): void;
  setResolved(annotationId: string, resolved: boolean): void;
  removeThread(annotationId: string): void;
  openGap(file: ReviewFile, gap: string): void;
  toggleFile(file: ReviewFile): void;
  isCollapsed(file: ReviewFile): boolean;
  showLarge(file: ReviewFile): void;
}

export const ReviewActionsContext = createContext<ReviewActions | undefined>(undefined);

export function useReviewActions(): ReviewActions {
  const actions = useContext(ReviewActionsContext);
  if (!actions) throw new Error('outside of a review');
  return actions;
}
