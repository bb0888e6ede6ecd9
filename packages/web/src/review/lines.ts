import type { TextRange } from '@ahpd/protocol';

/** The lines that a range on the wire is about; they count from 1, both ends are in. */
export function linesIn({ start, end }: TextRange): { readonly from: number; readonly to: number } {
  // A range that ends at the start of a line does not reach into it.
  const isOpen = end.character === 0 && end.line > start.line;
  return { from: start.line + 1, to: isOpen ? end.line : end.line + 1 };
}

/** What stands on these lines of a text. */
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
