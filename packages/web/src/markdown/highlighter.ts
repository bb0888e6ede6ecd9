import { useSyncExternalStore } from 'react';
import { type StyledPiece, styledLines } from './styled-lines.js';

export type Highlight = (text: string, language: string) => StyledPiece[][] | undefined;

/** Characters above which code stays plain, because highlighting would block the page. */
const MAX_CHARS = 200_000;

let highlight: Highlight | undefined;
let isRequested = false;
const listeners = new Set<() => void>();

/** The highlighter, once it is loaded. It is large, so it loads only when there is code to show. */
export function useHighlighter(): Highlight | undefined {
  return useSyncExternalStore(subscribe, () => highlight);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isRequested) {
    isRequested = true;
    load().catch(() => {
      isRequested = false; // the host is away; the next code to be shown tries again
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
