import { MAX_WORD_CHARS } from './limits.js';

/** The word at the cursor that may be completed, in UTF-16 units of the text. */
export interface Word {
  /** What it starts with, if that asks for a completion; empty otherwise. */
  readonly trigger: string;
  /** What was typed after that, up to the cursor. */
  readonly query: string;
  readonly start: number;
  readonly end: number;
  /** Nothing but blanks stands before it on its line. */
  readonly isFirst: boolean;
}

/** Finds the word. A trigger in the middle of one, such as in an address of e-mail, is none. */
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

/** What the rest of a name behind the cursor may be made of. */
const IN_NAME = /[\p{L}\p{N}_./-]/u;

/** What ends a word: blanks, and what people put around a name. */
function isGap(char: string | undefined): boolean {
  return char === undefined || /[\s()[\]{}<>"'`,;]/.test(char);
}
