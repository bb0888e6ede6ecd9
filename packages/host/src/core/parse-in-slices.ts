/** UTF-16 units that are parsed in one go: a few milliseconds. */
const SLICE_CHARS = 512 * 1024;

/** Lets others have a turn. */
export type Pause = () => Promise<void>;

/** Parses a JSON object, as we wrote it. Lists in its members are parsed piece by piece, with pauses between the pieces. */
export async function parseInSlices(json: string, pause: Pause): Promise<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  let at = 1;
  while (at < json.length - 1) {
    const colon = endOfString(json, at);
    const key = JSON.parse(json.slice(at, colon)) as string;
    if (json[colon + 1] === '[') {
      const items: unknown[] = [];
      at = await inSlices(json, colon + 2, pause, (slice) => {
        for (const item of JSON.parse(`[${slice}]`) as unknown[]) items.push(item);
      });
      members.push([key, items]);
      at += 2; // behind the bracket and the comma
    } else {
      const [, end] = values(json, colon + 1).next().value ?? [0, json.length - 1];
      members.push([key, JSON.parse(json.slice(colon + 1, end))]);
      at = end + 1;
    }
  }
  return Object.fromEntries(members);
}

/**
 * Hands over values that are joined by commas, in texts of about the size of a slice, with a pause after each. Resolves with
 * the position where they end: that of a closing bracket, or the end of the text.
 */
export async function inSlices(
  json: string,
  start: number,
  pause: Pause,
  take: (slice: string) => void,
): Promise<number> {
  let [from, end] = [start, start];
  for (const [, to] of values(json, start)) {
    end = to;
    if (to - from < SLICE_CHARS) continue;
    take(json.slice(from, to));
    from = to + 1;
    await pause();
  }
  if (from < end) take(json.slice(from, end));
  return end;
}

/** Where the values begin and end that are joined by commas from a position on. */
function* values(json: string, start: number): Generator<readonly [number, number]> {
  let depth = 0;
  let from = start;
  let at = start;
  for (; at < json.length && depth >= 0; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at) - 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (code === COMMA && depth === 0) {
      yield [from, at];
      from = at + 1;
    }
  }
  const end = depth < 0 ? at - 1 : at;
  if (from < end) yield [from, end];
}

/** The position after a string that begins here. */
function endOfString(json: string, start: number): number {
  let end = start;
  let escapes: number;
  do {
    end = json.indexOf('"', end + 1);
    if (end < 0) throw new SyntaxError('a string does not end');
    escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
  } while (escapes % 2 === 1);
  return end + 1;
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [123, 125, 91, 93];
