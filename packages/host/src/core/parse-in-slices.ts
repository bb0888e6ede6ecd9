/** UTF-16 units that are parsed in one go: a few milliseconds. */
const SLICE_CHARS = 512 * 1024;

/** Lets others have a turn. */
export type Pause = () => Promise<void>;

/** Parses a JSON object. A long list in one of its members is parsed piece by piece, with pauses between the pieces. */
export async function parseInSlices(json: string, pause: Pause): Promise<Record<string, unknown>> {
  const result: [string, unknown][] = [];
  for (const [start, end] of valuesIn(json, 1, json.length - 1)) {
    const colon = json.indexOf(':', endOfString(json, start));
    const key = JSON.parse(json.slice(start, colon)) as string;
    const isLongList = json[colon + 1] === '[' && end - colon > SLICE_CHARS;
    result.push([
      key,
      isLongList ? await parseList(json, colon + 1, end, pause) : JSON.parse(json.slice(colon + 1, end)),
    ]);
  }
  return Object.fromEntries(result);
}

async function parseList(json: string, start: number, end: number, pause: Pause): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const slice of slices(json, start + 1, end - 1, pause)) {
    for (const item of JSON.parse(`[${slice}]`) as unknown[]) items.push(item);
  }
  return items;
}

/** Values that are joined by commas, in texts of about the size of a slice, with a pause before each but the first. */
export async function* slices(json: string, start: number, end: number, pause: Pause): AsyncGenerator<string> {
  let from = start;
  for (const [, to] of valuesIn(json, start, end)) {
    if (to - from < SLICE_CHARS && to < end) continue;
    yield json.slice(from, to);
    from = to + 1;
    if (from < end) await pause();
  }
}

/** Where the values begin and end that are joined by commas between two positions. The text must be valid JSON, as we wrote it. */
function* valuesIn(json: string, start: number, end: number): Generator<readonly [number, number]> {
  let depth = 0;
  let from = start;
  for (let at = start; at < end; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at) - 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (code === COMMA && depth === 0) {
      yield [from, at];
      from = at + 1;
    }
  }
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
