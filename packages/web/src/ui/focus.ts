import { isTouchScreen } from './pointer.js';

/** The element that had the focus last, and the place with keys of its own (`data-keys`) that it was in. */
let last: { readonly element: Element; readonly place: Element | null } | undefined;

export function rememberFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element) last = { element: target, place: target.closest('[data-keys]') };
  };
  addEventListener('focusin', onFocus);
  return () => removeEventListener('focusin', onFocus);
}

/**
 * Whether a place has the focus. It keeps it when the focused element is removed from it, such as a row that was scrolled
 * away or a question that was answered.
 */
export function hasFocus(place: Element | null): boolean {
  if (!place) return false;
  if (place.contains(document.activeElement)) return true;
  return document.activeElement === document.body && last?.place === place && !last.element.isConnected;
}

/** Puts the focus into the message field, if there is one. Not on touch screens, where that opens the keyboard. */
export function focusComposer(): void {
  if (!isTouchScreen()) document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

/** For opening a chat: its message field gets the focus, now if it is shown already, or else when it appears. */
export function moveFocusToChat(): void {
  const leave = () => document.activeElement instanceof HTMLElement && document.activeElement.blur();
  leave();
  // After the page has been drawn with the new chat, and after dialogs have returned the focus.
  setTimeout(() => {
    if (document.querySelector('dialog[open]')) return;
    leave();
    focusComposer();
  });
}
