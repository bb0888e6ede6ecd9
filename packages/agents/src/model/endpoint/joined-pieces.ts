import { type Fields, fields, list } from '../../shared/untrusted.js';

/** An event of a stream of chat completions that says one piece of text and nothing else. */
interface Piece {
  readonly event: Fields;
  readonly choice: Fields;
  readonly delta: Fields;
  readonly name: string;
  text: string;
}

/** Members of a delta that are text to be appended. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'reasoning_content', 'reasoning']);

/** Writes the lines of a stream; neighbouring events that each say one piece of the same text become one. */
export class JoinedPieces {
  #out = '';
  #last: Piece | undefined;

  add(line: string): void {
    if (this.#last && line.trim() === '') return; // it is the end of that event
    const piece = pieceIn(line);
    if (piece && this.#last && isSame(this.#last, piece)) this.#last.text += piece.text;
    else {
      this.#end();
      if (piece) this.#last = piece;
      else this.#out += `${line}\n`;
    }
  }

  /** All lines up to now. */
  take(): string {
    this.#end();
    const out = this.#out;
    this.#out = '';
    return out;
  }

  #end(): void {
    if (!this.#last) return;
    const { event, choice, delta, name, text } = this.#last;
    const joined = { ...event, choices: [{ ...choice, delta: { ...delta, [name]: text } }] };
    this.#out += `data: ${JSON.stringify(joined)}\n\n`;
    this.#last = undefined;
  }
}

/** Undefined if the line has anything else that might matter to anybody, such as usage or the end of the answer. */
function pieceIn(line: string): Piece | undefined {
  if (!line.startsWith('data:') || !line.includes('"choices"')) return undefined;
  const event = fields(parsed(line.slice('data:'.length)));
  const { choices, ...about } = event;
  const [choice, ...others] = list(choices).map(fields);
  if (!choice || others.length > 0) return undefined;
  const { index, delta, ...more } = choice;
  if (Object.values(about).some(isObject) || Object.values(more).some(isSomething)) return undefined;
  const said = Object.entries(fields(delta)).filter(([name, value]) => name !== 'role' && isSomething(value));
  const [[name, text] = []] = said;
  if (said.length !== 1 || name === undefined || !TEXTS.has(name) || typeof text !== 'string') return undefined;
  return { event, choice, delta: fields(delta), name, text };
}

function isSame(one: Piece, other: Piece): boolean {
  return one.name === other.name && one.choice.index === other.choice.index;
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
