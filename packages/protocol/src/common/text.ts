import { named, object } from './schema.js';
import { type Static, Type } from './type.js';

export interface TextPosition {
  /** Counted from 0. */
  line: number;
  /** Counted from 0, in UTF-16 units. */
  character: number;
}

export const TextPositionSchema = object<TextPosition>('TextPosition', {
  line: Type.Integer(),
  character: Type.Integer(),
});

/** From one place in a text to another; lines and characters count from zero, and the end is not part of it. */
export interface TextRange {
  /** The first position in it. */
  start: TextPosition;
  /** The first position after it. */
  end: TextPosition;
}

export const TextRangeSchema = object<TextRange>('TextRange', {
  start: TextPositionSchema,
  end: TextPositionSchema,
});

export interface TextSelection {
  /** What is selected. */
  range: TextRange;
}

export const TextSelectionSchema = object<TextSelection>('TextSelection', {
  range: TextRangeSchema,
});

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
