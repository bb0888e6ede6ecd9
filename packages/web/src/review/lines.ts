import type { TextRange } from '@moorage/protocol';

/** The lines of a protocol range, counted from 1, with both ends included. */
export function linesIn({ start, end }: TextRange): { readonly from: number; readonly to: number } {
  // A range that ends at the start of a line does not reach into it.
  const isOpen = end.character === 0 && end.line > start.line;
  return { from: start.line + 1, to: isOpen ? end.line : end.line + 1 };
}

/** The text of these lines. */
export function textOfLines(text: string, from: number, to: number): string {
  return text
    .split(LINE_END)
    .slice(from - 1, to)
    .join('\n');
}

export function describeLines(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}

const LINE_END = /\r\n|\n|\r/;
