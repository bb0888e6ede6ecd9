import { diffWordsWithSpace } from 'diff';

/** A piece of a line; `changed` if the other side does not have it. */
export interface WordPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** Lines longer than this are not compared word by word. */
const MAX_CHARS = 1_000;
/** Lines that share less than this are unrelated, and marking their words would be noise. */
const MIN_SHARED = 0.3;

/** Marks what the counterpart of a line does not have; undefined if the two lines have too little in common. */
export function changedWords(text: string, other: string, side: 'old' | 'new'): WordPiece[] | undefined {
  if (text.length > MAX_CHARS || other.length > MAX_CHARS) return undefined;
  const [before, after] = side === 'old' ? [text, other] : [other, text];
  const parts = diffWordsWithSpace(before, after);
  const shared = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  if (shared < MIN_SHARED * Math.max(text.trim().length, other.trim().length, 1)) return undefined;
  return parts
    .filter((part) => (side === 'old' ? !part.added : !part.removed))
    .map((part) => ({ text: part.value, changed: part.added === true || part.removed === true }));
}
