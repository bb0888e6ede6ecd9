import { useCallback, useState } from 'react';
import { keepInTab } from '../ui/tab-storage.js';
import type { LineRange } from './rows.js';

const TEXT_KEY = 'moorage.comment.';
const PLACE_KEY = 'moorage.commenting.';

/** The draft of a comment. It survives its row being scrolled out of view, which unmounts it, and a reload. */
export function useCommentDraft(name: string, initial = ''): readonly [string, (text: string) => void] {
  const [text, setState] = useState(() => sessionStorage.getItem(TEXT_KEY + name) ?? initial);
  const setText = useCallback(
    (next: string) => {
      setState(next);
      keepInTab(TEXT_KEY + name, next);
    },
    [name],
  );
  return [text, setText];
}

export function draftName({ file, side, from, to }: LineRange): string {
  return `${file} ${side} ${from} ${to}`;
}

export function forgetDraft(name: string): void {
  keepInTab(TEXT_KEY + name, '');
}

/** The lines that the open comment editor of a changeset is about. */
export function readOpenEditor(changeset: string): LineRange | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(PLACE_KEY + changeset) ?? 'null') as LineRange | null;
    return found ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepOpenEditor(changeset: string, range: LineRange | undefined): void {
  keepInTab(PLACE_KEY + changeset, range ? JSON.stringify(range) : '');
}
