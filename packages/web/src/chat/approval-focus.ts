import { isReachable } from '../ui/is-reachable.js';

/** Milliseconds in which keys do not answer a question that has just come into view: nobody has read it yet. */
const UNREAD_MS = 500;

/** When the page last moved the focus to a question, by answering the one before or by scrolling it into view. */
let movedAt = Number.NEGATIVE_INFINITY;

/** Whether a key that was pressed at a time may answer a question that appeared at another. */
export function isRead(appearedAt: number, pressedAt: number): boolean {
  return pressedAt - Math.max(appearedAt, movedAt) >= UNREAD_MS;
}

/** Puts the focus on the first approval or question that is shown. Returns whether there is one. */
export function focusApproval({ isNew = false } = {}): boolean {
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].find((candidate) => candidate.checkVisibility());
  const card = shown('.approval');
  if (!card) {
    const field = shown('.input-request :is(input, button)');
    field?.focus();
    return field !== undefined;
  }
  if (isNew || !isReachable(card.querySelector('.confirmation-options > *'))) movedAt = performance.now();
  card.focus();
  return true;
}
