import { isReachable } from '../ui/is-reachable.js';

/** Milliseconds in which keys do not answer a question that has just come into view: nobody has read it yet. */
const UNREAD_MS = 500;

/** When the page last moved the focus to a question, by answering the one before or by scrolling it into view. */
let movedAt = Number.NEGATIVE_INFINITY;

/** Whether a key that was pressed at a time may answer a question that appeared at another. */
export function isRead(appearedAt: number, pressedAt: number): boolean {
  return pressedAt - Math.max(appearedAt, movedAt) >= UNREAD_MS;
}

/** Puts the focus on the first approval that is shown. Returns whether there is one. */
export function focusApproval({ isNew = false } = {}): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('.approval')];
  const card = cards.find((candidate) => candidate.checkVisibility());
  if (!card) return false;
  if (isNew || !isReachable(card.querySelector('.confirmation-options > *'))) movedAt = performance.now();
  card.focus();
  return true;
}
