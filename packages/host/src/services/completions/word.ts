import { MAX_WORD_CHARS } from './limits.js';

/** The word at the cursor. Offsets are UTF-16 units of the text. */
export interface Word {
  /** Its first character, if that is a trigger; else ''. */
  readonly trigger: string;
  /** The text between the trigger and the cursor. */
  readonly query: string;
  readonly start: number;
  readonly end: number;
  /** Whether only blanks precede it on its line. */
  readonly isFirst: boolean;
}

/** The word at `offset`. A trigger in the middle of a word, as in an e-mail address, does not count. */
export function wordAt(text: string, offset: number, triggers: readonly string[]): Word | undefined {
  let start = offset;
  while (start > 0 && !isGap(text[start - 1]) && offset - start <= MAX_WORD_CHARS) start--;
  if (offset - start > MAX_WORD_CHARS) return undefined;
  let end = offset;
  while (end < text.length && IN_NAME.test(text[end] ?? '') && end - start <= MAX_WORD_CHARS) end++;
  const trigger = triggers.includes(text[start] ?? '') && start < offset ? (text[start] ?? '') : '';
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return { trigger, query: text.slice(start + trigger.length, offset), start, end, isFirst: line.trim() === '' };
}

/** Characters after the cursor that still belong to the word. */
const IN_NAME = /[\p{L}\p{N}_./-]/u;

/** Characters before the cursor that end a word: blanks, and punctuation around names. */
function isGap(char: string | undefined): boolean {
  return char === undefined || /[\s()[\]{}<>"'`,;]/.test(char);
}
