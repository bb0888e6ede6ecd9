/** An object that an agent sent. The readers in this file turn whatever was sent into something usable, or nothing. */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A short text such as a title, cut to what anybody would read. */
export function label(value: unknown, maxChars = MAX_LABEL_CHARS): string | undefined {
  const line = text(value)?.trim();
  if (!line) return undefined;
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A value as JSON; undefined when it is empty. */
export function json(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** UTF-16 units; the title of a call may be a long command line. */
const MAX_LABEL_CHARS = 500;
