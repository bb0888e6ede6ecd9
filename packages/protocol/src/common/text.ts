import type { Static } from 'typebox';
import { named } from './schema.js';
import { Type } from './type.js';

export const TextPositionSchema = named(
  'TextPosition',
  Type.Object({
    line: Type.Integer(),
    character: Type.Integer(),
  }),
);
export type TextPosition = Static<typeof TextPositionSchema>;

export const TextRangeSchema = named(
  'TextRange',
  Type.Object({
    start: TextPositionSchema,
    end: TextPositionSchema,
  }),
);
/** From one place in a text to another; lines and characters count from zero, and the end is not part of it. */
export type TextRange = Static<typeof TextRangeSchema>;

export const TextSelectionSchema = named(
  'TextSelection',
  Type.Object({
    range: TextRangeSchema,
  }),
);
export type TextSelection = Static<typeof TextSelectionSchema>;

export const StringOrMarkdownSchema = named(
  'StringOrMarkdown',
  Type.Union([Type.String(), Type.Object({ markdown: Type.String() })]),
);
/** Plain text, or text in markdown. */
export type StringOrMarkdown = Static<typeof StringOrMarkdownSchema>;

/** The text itself, whether it is markdown or not. */
export function wordsOf(text: StringOrMarkdown): string {
  return typeof text === 'string' ? text : text.markdown;
}

/** The lines that a range touches. One that ends at the start of a line does not reach into it. */
export function linesOf({ start, end }: TextRange): { start: number; count: number } {
  const isOpen = end.character === 0 && end.line > start.line;
  return { start: start.line, count: end.line - start.line + (isOpen ? 0 : 1) };
}
