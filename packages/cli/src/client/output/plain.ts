import { type StringOrMarkdown, wordsOf } from '@moorage/protocol';

/**
 * Makes text of agents, files and other people safe to show in a terminal. Escape sequences could retitle it, write to the
 * clipboard or hide what a command does, and characters that change the direction of text could do the last. Each of them
 * is replaced by a visible mark; no readable text is dropped, because the user decides by what it says.
 */
export function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, markOf);
}

/** The same on one line, for tables and titles. */
export function plainLine(text: string): string {
  return plain(text.replace(/\s+/g, ' ').trim());
}

/** What an agent or host says, on one line and without markdown. */
export function sentence(text: StringOrMarkdown): string {
  return plainLine(wordsOf(text));
}

/** The same as `plain` for contents of files, where the end of a line may be what changed. */
export function plainContent(text: string): string {
  return plain(text.replaceAll('\r\n', '^M\n'));
}

/** JSON that is safe to show in a terminal: also escapes control characters that JSON allows as they are. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNESCAPED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** As `cat -v` and `less` write them: `^[` for ESC, `<U+202E>` for what has no letter. */
function markOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

// Built from text, because control characters are what this is about. C1 characters start sequences as ESC does.
const TURNS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const CONTROLS = new RegExp(`[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${TURNS}]`, 'g');
const UNESCAPED = new RegExp(`[\\x7f-\\x9f${TURNS}]`, 'g');
