import { MAX_ALIASES, MAX_FRONT_MATTER_CHARS } from '../limits.js';

export interface Document {
  /** Untrusted: anyone may have written it. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with a file, in words for the user. */
export class ParseProblem extends Error {
  override readonly name = 'ParseProblem';
}

/** Splits a Markdown file into front matter and body. Throws only ParseProblems, whatever the text. */
export async function readDocument(text: string): Promise<Document> {
  const { head, body } = splitFrontMatter(text);
  if (head === undefined) return { fields: {}, body };
  if (head.length > MAX_FRONT_MATTER_CHARS) {
    throw new ParseProblem(`its front matter is longer than ${MAX_FRONT_MATTER_CHARS} characters`);
  }
  const value = await parseLeniently(head);
  if (value === null || value === undefined) return { fields: {}, body };
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ParseProblem('its front matter is not a list of keys');
  return { fields: value as Record<string, unknown>, body };
}

/** The text between an initial `---` line and the next one, and what follows. */
export function splitFrontMatter(text: string): { head: string | undefined; body: string } {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const opening = /^---[ \t]*\r?\n/.exec(plain);
  if (!opening) return { head: undefined, body: plain };
  const closing = /^---[ \t]*(\r?\n|$)/gm;
  closing.lastIndex = opening[0].length;
  const end = closing.exec(plain);
  if (!end) return { head: undefined, body: plain }; // a horizontal rule, not front matter
  return { head: plain.slice(opening[0].length, end.index), body: plain.slice(end.index + end[0].length) };
}

/**
 * Many tools read only simple lines, so people write values that YAML takes for something else, such as `globs: **` +
 * `/*.ts`.
 */
async function parseLeniently(head: string): Promise<unknown> {
  try {
    return await parseYaml(head);
  } catch (first) {
    const quoted = head.replaceAll(
      SIMPLE_LINE,
      (_line, key: string, value: string) => `${key}${JSON.stringify(value)}`,
    );
    try {
      return await parseYaml(quoted);
    } catch {
      throw new ParseProblem(`its front matter is not valid YAML: ${firstLine(first)}`);
    }
  }
}

/** A key at the start of a line, followed by a plain value. */
const SIMPLE_LINE = /^([A-Za-z][\w-]*:[ \t]+)([^\s"'|>{&#][^\r\n]*?)[ \t]*(?=\r?$)/gm;

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml'); // loaded on demand: most runs of the host have nothing to parse
  return parse(text, { maxAliasCount: MAX_ALIASES, prettyErrors: false, logLevel: 'error' });
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
}
