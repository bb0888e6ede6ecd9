import { useSyncExternalStore } from 'react';
import { type StyledPiece, styledLines } from './styled-lines.js';

export type Highlight = (text: string, language: string) => StyledPiece[][] | undefined;

/** Characters past which code stays plain: colours are not worth a stutter. */
const MAX_CHARS = 200_000;

let highlight: Highlight | undefined;
let asked = false;
const listeners = new Set<() => void>();

/** The highlighter is large, so it comes after the page, when there is code to show. */
export function useHighlighter(): Highlight | undefined {
  return useSyncExternalStore(subscribe, () => highlight);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!asked) {
    asked = true;
    load().catch(() => {
      asked = false; // the host is gone for the moment; code stays plain until the next is shown
    });
  }
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  const { default: hljs } = await import('highlight.js/lib/common');
  highlight = (text, language) => {
    if (text.length > MAX_CHARS || !hljs.getLanguage(language)) return undefined;
    return styledLines(hljs.highlight(text, { language, ignoreIllegals: true }).value);
  };
  for (const listener of listeners) listener();
}
