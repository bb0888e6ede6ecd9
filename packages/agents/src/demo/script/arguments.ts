/** `\n` is a newline and `\\n` the two characters; every other backslash stays, so that paths survive. */
export function unescapeText(text: string): string {
  return text.replace(/\\\\n|\\n/g, (written) => (written === '\\n' ? '\n' : '\\n'));
}

export interface Word {
  readonly word: string;
  /** What follows after one blank, verbatim. */
  readonly rest: string;
}

/** Takes the first word off; one in double quotes may hold blanks. */
export function takeWord(text: string): Word | undefined {
  const match = /^\s*(?:"([^"]+)"|(\S+))(?:\s([\s\S]*))?$/.exec(text);
  const word = match?.[1] ?? match?.[2];
  return word === undefined ? undefined : { word, rest: match?.[3] ?? '' };
}

/** The text as exactly so many words, or undefined. */
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

/** Normalizes nothing: the text itself when it is a JSON object, `{}` when it is empty. */
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
