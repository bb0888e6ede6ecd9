import { sentenceOf } from './sentence.js';

export interface Toast {
  readonly id: number;
  readonly tone: 'error' | 'done';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** Long enough to read a sentence and reach a button. */
const SHOWN_MS = 8_000;
/** For short messages that something was done. */
const BRIEFLY_MS = 3_000;
/** Characters that can be read at a glance. */
const BRIEF_CHARS = 60;
/** More at once would hide the page. */
const MAX_SHOWN = 3;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = ++last;
  toasts = [...toasts, { ...toast, id }].slice(-MAX_SHOWN);
  notify();
  const isBrief = toast.tone === 'done' && !toast.action && toast.text.length <= BRIEF_CHARS;
  setTimeout(() => dismissToast(id), isBrief ? BRIEFLY_MS : SHOWN_MS);
}

export function dismissToast(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id);
  notify();
}

/** Shows the error if a promise rejects. */
export function showFailure(promise: Promise<unknown> | undefined): void {
  promise?.catch((error: unknown) => showToast({ tone: 'error', text: sentenceOf(error) }));
}

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => toasts,
};

function notify(): void {
  for (const listener of listeners) listener();
}
