import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Shapes {
  readonly enums: Record<string, Record<string, unknown>>;
  readonly types: Record<string, { fields?: Record<string, string>; type?: string }>;
}

/**
 * Holds values against the flattened types of a protocol version, if the folder with them is named by AHP_SHAPES
 * (`v1.json`, `0.2.0.json`, ...). The types are the protocol authors' and not part of this project, so without the
 * folder nothing is checked.
 */
export function shapeProblem(version: string | number, type: string, value: unknown): string | undefined {
  const shapes = load(version === 1 ? 'v1' : String(version));
  return shapes && check(shapes, type, value, type);
}

const loaded = new Map<string, Shapes | undefined>();

function load(name: string): Shapes | undefined {
  if (!loaded.has(name)) {
    const file = process.env.AHP_SHAPES && join(process.env.AHP_SHAPES, `${name}.json`);
    loaded.set(name, file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  }
  return loaded.get(name);
}

/** Why a value is not what a type expression says; members that the type does not have are a problem too. */
function check(shapes: Shapes, expression: string, value: unknown, path: string): string | undefined {
  const text = expression.trim().replace(/^\|/, '').trim();
  const variants = split(text, '|');
  if (variants.length > 1) {
    const problems = variants.map((variant) => check(shapes, variant, value, path));
    return problems.includes(undefined) ? undefined : longest(problems);
  }
  const parts = split(text, '&');
  if (parts.length > 1) return undefined;
  if (text.endsWith('[]')) {
    if (!Array.isArray(value)) return `${path}: expected a list`;
    return first(value.map((item, index) => check(shapes, text.slice(0, -2), item, `${path}/${index}`)));
  }
  if (text.startsWith('(') && text.endsWith(')')) return check(shapes, text.slice(1, -1), value, path);
  if (text.startsWith('{')) return members(shapes, parseInline(text), value, path);
  if (/^['"]/.test(text)) return value === text.slice(1, -1) ? undefined : `${path}: expected ${text}`;
  if (text.startsWith('Record<')) return isObject(value) ? undefined : `${path}: expected an object`;
  if (text.startsWith('Partial<')) {
    const fields = shapes.types[text.slice(8, -1)]?.fields ?? {};
    const optional = Object.entries(fields).map(([name, type]) => [`${name.replace('?', '')}?`, type]);
    return members(shapes, Object.fromEntries(optional), value, path);
  }
  return named(shapes, text, value, path);
}

function named(shapes: Shapes, name: string, value: unknown, path: string): string | undefined {
  const [enumName = '', member] = name.split('.');
  const values = shapes.enums[enumName];
  if (values) {
    if (enumName === 'SessionStatus') return typeof value === 'number' ? undefined : `${path}: expected a number`;
    const allowed = member === undefined ? Object.values(values) : [values[member]];
    return allowed.includes(value) ? undefined : `${path}: expected ${name}, not ${JSON.stringify(value)}`;
  }
  const type = shapes.types[name];
  if (type?.fields) return members(shapes, type.fields, value, path);
  if (type?.type) return check(shapes, type.type, value, path);
  if (['string', 'number', 'boolean'].includes(name))
    return typeof value === name ? undefined : `${path}: expected a ${name}`;
  if (name === 'null' || name === 'undefined')
    return (value ?? null) === null ? undefined : `${path}: expected nothing`;
  if (name === 'true' || name === 'false') return String(value) === name ? undefined : `${path}: expected ${name}`;
  return undefined; // unknown, object
}

function members(shapes: Shapes, fields: Record<string, string>, value: unknown, path: string): string | undefined {
  if (!isObject(value)) return `${path}: expected an object`;
  const known = new Set(Object.keys(fields).map((name) => name.replace('?', '')));
  const extra = Object.keys(value).find((name) => !known.has(name) && !TOLERATED.has(name));
  if (extra !== undefined) return `${path}/${extra}: unknown member`;
  return first(
    Object.entries(fields).map(([name, type]) => {
      const plain = name.replace('?', '');
      const isAbsent = value[plain] === undefined;
      const mayBeAbsent = name.endsWith('?') || /\bundefined\b/.test(type);
      if (isAbsent) return mayBeAbsent ? undefined : `${path}/${plain}: missing`;
      return check(shapes, type, value[plain], `${path}/${plain}`);
    }),
  );
}

/** Sent on purpose though the types do not have them: counts of a changeset, both names of an attachment's file. */
const TOLERATED: ReadonlySet<string> = new Set(['additions', 'deletions', 'files', 'path']);

function parseInline(text: string): Record<string, string> {
  const entries = split(text.slice(1, -1), ';').flatMap((part) => split(part, ','));
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const [, name, type] = /^\s*([\w?]+)\s*:(.*)$/s.exec(entry) ?? [];
      return name && type ? [[name, type]] : [];
    }),
  );
}

/** Splits where nothing is open. */
function split(text: string, at: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    if ('{<('.includes(text[index] ?? '')) depth++;
    if ('}>)'.includes(text[index] ?? '')) depth--;
    if (depth === 0 && text[index] === at) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part.trim() !== '');
}

function first(problems: (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** Of the variants of a union the one that was entered deepest is the one that was meant. */
function longest(problems: (string | undefined)[]): string | undefined {
  return problems.reduce((a, b) => ((a?.split(':')[0]?.length ?? 0) >= (b?.split(':')[0]?.length ?? 0) ? a : b));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
