import { MAX_DESCRIPTION_CHARS, MAX_GLOB_CHARS, MAX_GLOBS, MAX_NAME_CHARS } from '../limits.js';

type Fields = Readonly<Record<string, unknown>>;

export function field(fields: Fields, ...names: string[]): unknown {
  const name = names.find((candidate) => Object.hasOwn(fields, candidate));
  return name === undefined ? undefined : fields[name];
}

/** A name on one line; undefined if there is none. */
export function nameField(fields: Fields, ...names: string[]): string | undefined {
  return oneLine(field(fields, ...names), MAX_NAME_CHARS);
}

export function descriptionField(fields: Fields): string | undefined {
  return oneLine(field(fields, 'description'), MAX_DESCRIPTION_CHARS);
}

export function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.trim().toLowerCase() === 'true');
}

export function oneLine(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (text === '') return undefined;
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}

/** A list, or comma-separated text; commas within braces belong to an item. */
export function listField(value: unknown): string[] | undefined {
  if (typeof value === 'string') return split(value);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => (typeof item === 'string' ? split(item) : []));
}

export function globsField(value: unknown): string[] {
  const globs = listField(value) ?? [];
  return globs.filter((glob) => glob.length <= MAX_GLOB_CHARS).slice(0, MAX_GLOBS);
}

function split(text: string): string[] {
  const items: string[] = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth++;
    if (char === '}') depth--;
    if (char === ',' && depth <= 0) items.push('');
    else items[items.length - 1] += char;
  }
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
