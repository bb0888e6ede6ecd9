import { isObject, type JsonObject, type TextRange } from '@moorage/protocol';
import { ParseProblem } from './front-matter.js';

export type { JsonObject };

/** Parses a file with one JSON object. Throws only ParseProblems. */
export function readJson(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw new ParseProblem('it is not valid JSON');
  }
  if (isObject(value)) return value;
  throw new ParseProblem('it is not a JSON object');
}

/**
 * Finds the ranges of members in a JSON text with the YAML parser, since JSON is YAML. Undefined if a range cannot be
 * determined.
 */
export async function rangesIn(text: string): Promise<(path: readonly (string | number)[]) => TextRange | undefined> {
  try {
    const { LineCounter, parseDocument, isNode } = await import('yaml');
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false });
    const position = (offset: number) => {
      const { line, col } = lines.linePos(offset);
      return { line: line - 1, character: col - 1 };
    };
    return (path) => {
      const node = document.getIn(path, true);
      if (!isNode(node) || !node.range) return undefined;
      return { start: position(node.range[0]), end: position(node.range[1]) };
    };
  } catch {
    return () => undefined;
  }
}
