/** `\n` becomes a newline and `\\n` the two characters. Every other backslash stays, so that paths survive. */
export function unescapeText(text: string): string {
  return text.replace(/\\\\n|\\n/g, (written) => (written === '\\n' ? '\n' : '\\n'));
}

export interface Word {
  readonly word: string;
  /** Everything after the blank that follows. */
  readonly rest: string;
}

/** Splits off the first word, which may contain blanks if it is in double quotes. */
export function takeWord(text: string): Word | undefined {
  const match = /^\s*(?:"([^"]+)"|(\S+))(?:\s([\s\S]*))?$/.exec(text);
  const word = match?.[1] ?? match?.[2];
  return word === undefined ? undefined : { word, rest: match?.[3] ?? '' };
}

/** Splits a text into exactly `count` words; undefined if it has more or less. */
export function takeWords(text: string, count: number): string[] | undefined {
  const words: string[] = [];
  let rest = text;
  while (words.length < count) {
    const taken = takeWord(rest);
    if (!taken) return undefined;
    words.push(taken.word);
    rest = taken.rest;
  }
  return rest.trim() === '' ? words : undefined;
}

/** A whole number from 0 to `max`. */
export function readCount(text: string, max: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const count = Number(text);
  return count <= max ? count : undefined;
}

/** The text as it is if it is a JSON object, `{}` if it is empty, else undefined. */
export function readJsonObject(text: string): string | undefined {
  const json = text.trim();
  if (json === '') return '{}';
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? json : undefined;
  } catch {
    return undefined;
  }
}
