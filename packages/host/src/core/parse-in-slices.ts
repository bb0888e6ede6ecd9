/** UTF-16 units that are parsed in one go: a millisecond or two. */
export const SLICE_CHARS = 128 * 1024;

/** Lets others have a turn. */
export type Pause = () => Promise<void>;

/**
 * Parses a JSON object, as we wrote it, whose text comes in pieces. Lists in its members are parsed slice by slice, with a
 * pause after each slice and each piece.
 */
export async function parseInSlices(pieces: Iterable<string>, pause: Pause): Promise<Record<string, unknown>> {
  const json = new TextInPieces(pieces, pause);
  const members: [string, unknown][] = [];
  await json.skip(OPEN_BRACE);
  while ((await json.charCode()) === QUOTE) {
    const key = JSON.parse(await json.takeValue()) as string;
    await json.skip(COLON);
    if ((await json.charCode()) === OPEN_BRACKET) {
      await json.skip(OPEN_BRACKET);
      const items: unknown[] = [];
      await takeSlices(json, (slice) => {
        for (const item of JSON.parse(`[${slice}]`) as unknown[]) items.push(item);
      });
      await json.skip(CLOSE_BRACKET);
      members.push([key, items]);
    } else {
      members.push([key, JSON.parse(await json.takeValue())]);
    }
    if ((await json.charCode()) === COMMA) await json.skip(COMMA);
  }
  await json.skip(CLOSE_BRACE);
  return Object.fromEntries(members);
}

/** Hands over values that are joined by commas, in texts of about the size of a slice, with a pause after each. */
export function inSlices(joined: string, pause: Pause, take: (slice: string) => void): Promise<void> {
  return takeSlices(new TextInPieces([joined], pause), take);
}

async function takeSlices(json: TextInPieces, take: (slice: string) => void): Promise<void> {
  for (;;) {
    const slice = await json.takeValues();
    if (slice === '') return;
    take(slice);
    await json.pause();
    if ((await json.charCode()) === COMMA) await json.skip(COMMA);
  }
}

/** JSON text that is read from its pieces as far as it is needed. What has been taken is let go. */
class TextInPieces {
  readonly pause: Pause;
  readonly #pieces: Iterator<string>;
  #text = '';
  #at = 0;
  #isWhole = false;

  constructor(pieces: Iterable<string>, pause: Pause) {
    this.#pieces = pieces[Symbol.iterator]();
    this.pause = pause;
  }

  /** The next UTF-16 unit; NaN at the end. */
  async charCode(): Promise<number> {
    while (this.#at >= this.#text.length && !this.#isWhole) await this.#more();
    return this.#text.charCodeAt(this.#at);
  }

  async skip(expected: number): Promise<void> {
    if ((await this.charCode()) !== expected) throw new SyntaxError('not the JSON of a state');
    this.#at++;
  }

  /** Takes the value that begins here. */
  takeValue(): Promise<string> {
    return this.#take(1);
  }

  /** Takes values that are joined by commas, up to the end of a slice or of their list. */
  takeValues(): Promise<string> {
    return this.#take(SLICE_CHARS);
  }

  async #take(atLeast: number): Promise<string> {
    let end = endOfValues(this.#text, this.#at, atLeast, this.#isWhole);
    while (end === undefined) {
      await this.#more();
      end = endOfValues(this.#text, this.#at, atLeast, this.#isWhole);
    }
    const taken = this.#text.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  async #more(): Promise<void> {
    const { value, done } = this.#pieces.next();
    this.#isWhole = done === true;
    if (done) return;
    this.#text = this.#text.slice(this.#at) + value;
    this.#at = 0;
    await this.pause();
  }
}

/**
 * Where the values end that begin at a position and are joined by commas: behind the first with which they have so many
 * units, or at the end of what contains them. Undefined when the text does not show it yet.
 */
function endOfValues(json: string, start: number, atLeast: number, isWhole: boolean): number | undefined {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (end === undefined) break;
      at = end - 1;
      if (depth === 0 && json.charCodeAt(end) === COLON) return end; // the key of a member
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth--;
    } else if (code === COMMA && depth === 0 && at - start >= atLeast) return at;
  }
  if (!isWhole) return undefined;
  if (depth > 0) throw new SyntaxError('a value does not end');
  return json.length;
}

/** The position after a string that begins here; undefined when the text ends before it. */
function endOfString(json: string, start: number): number | undefined {
  let end = start;
  let escapes: number;
  do {
    end = json.indexOf('"', end + 1);
    if (end < 0) return undefined;
    escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
  } while (escapes % 2 === 1);
  return end + 1;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [123, 125, 91, 93];
