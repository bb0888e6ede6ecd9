import { MAX_DECLARATION_CHARS, MAX_SYMBOLS_OF_FILE } from './limits.js';

/** A name that a file declares. Line and character (in UTF-16 units) count from zero. */
export interface Declaration {
  readonly name: string;
  readonly line: number;
  readonly character: number;
}

/** Finds declarations line by line with a pattern per language: enough to link to, without a parser for each. */
export function declarationsIn(path: string, text: string): Declaration[] {
  const pattern = PATTERNS.get(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '');
  if (!pattern) return [];
  const found: Declaration[] = [];
  for (const [line, content] of text.split('\n').entries()) {
    if (content.length > MAX_DECLARATION_CHARS) continue;
    const match = pattern.exec(content);
    const name = match?.[1];
    if (!match || name === undefined || RESERVED.has(name)) continue;
    found.push({ name, line, character: content.indexOf(name, match.index + match[0].lastIndexOf(name)) });
    if (found.length >= MAX_SYMBOLS_OF_FILE) break;
  }
  return found;
}

/** Keywords that the patterns could mistake for names. */
const RESERVED: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'return', 'catch', 'else', 'function']);

const SCRIPT =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)|^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)/;
const RUST =
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern)\s+)*(?:fn|struct|enum|trait|type|mod|static|const|union)\s+(?:mut\s+)?(\w+)/;
const CLASSES =
  /^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|override|data|partial|async|export|case|inline|suspend|virtual|readonly)\s+)*(?:class|interface|enum|record|struct|object|trait|protocol|extension|fun|func|def)\s+(\w+)/;
const C =
  /^(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(\w+)|^#\s*define\s+(\w+)|^(?:[A-Za-z_][\w:<>*&]*\s+){1,4}[*&]*([A-Za-z_]\w*)\s*\(/;

/** By file extension. The name is the first capture group that matched. */
const PATTERNS: ReadonlyMap<string, FirstGroup> = new Map(
  (
    [
      [['js', 'jsx', 'mjs', 'cjs', 'ts', 'tsx', 'mts', 'cts', 'vue', 'svelte'], SCRIPT],
      [['py', 'pyi'], /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/],
      [['go'], /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+|var\s+|const\s+)([A-Za-z_]\w*)/],
      [['rs'], RUST],
      [['java', 'kt', 'kts', 'cs', 'scala', 'swift', 'groovy', 'dart'], CLASSES],
      [['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'm'], C],
      [['rb'], /^\s*(?:def\s+(?:self\.)?|class\s+|module\s+)([A-Za-z_]\w*[?!]?)/],
      [
        ['php'],
        /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*(?:function|class|interface|trait|enum)\s+(\w+)/,
      ],
      [['sh', 'bash', 'zsh'], /^\s*(?:function\s+([\w-]+)|([\w-]+)\s*\(\))/],
      [['ex', 'exs'], /^\s*(?:def|defp|defmodule|defmacro)\s+([\w.?!]+)/],
      [['lua'], /^\s*(?:local\s+)?function\s+([\w.:]+)/],
      [
        ['sql'],
        /^\s*create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index|type)\s+(?:if\s+not\s+exists\s+)?([\w.]+)/i,
      ],
    ] satisfies [string[], RegExp][]
  ).flatMap(([endings, pattern]) => endings.map((ending): [string, FirstGroup] => [ending, firstGroup(pattern)])),
);

interface FirstGroup {
  exec(line: string): { readonly 0: string; readonly 1?: string | undefined; readonly index: number } | undefined;
}

function firstGroup(pattern: RegExp): FirstGroup {
  return {
    exec(line) {
      const match = pattern.exec(line);
      const name = match?.slice(1).find((group) => group !== undefined);
      return match ? { 0: match[0], 1: name, index: match.index } : undefined;
    },
  };
}
