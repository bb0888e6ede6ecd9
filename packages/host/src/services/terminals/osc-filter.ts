import { MAX_MARK_CHARS, MAX_TEXT_REPORT_CHARS } from './limits.js';

/** An operating system command (OSC) that the host interprets. */
export interface Osc {
  readonly number: number;
  readonly payload: string;
}

/** Output for clients, or an OSC at its place in the output. */
export type Piece = string | Osc;

/**
 * Removes shell integration marks from a stream of output (OQ-87) and leaves every other byte as it is. The result does
 * not depend on how the stream is cut into chunks. Only what is still undecided is held back: a few characters. A mark
 * that never ends is swallowed, as terminals do, and only its start is kept.
 */
export class OscFilter {
  #state: 'ground' | 'escape' | 'name' | 'body' | 'bodyEscape' = 'ground';
  /** The undecided start of a command, including its ESC. */
  #held = '';
  #kind: Kind = PLAIN;
  #payload: string | undefined;
  #pieces: Piece[] = [];

  push(text: string): Piece[] {
    if (this.#state === 'ground' && !text.includes(ESC)) return text === '' ? [] : [text];
    let at = 0;
    while (at < text.length) at = this.#step(text, at);
    return this.#take();
  }

  /** Ends the stream: what was held back is not a mark, so it is output. */
  end(): Piece[] {
    if (this.#state === 'escape') this.#keep(ESC);
    if (this.#state === 'name') this.#keep(this.#held);
    if (this.#state === 'bodyEscape' && !this.#kind.strip) this.#keep(ESC);
    this.#state = 'ground';
    return this.#take();
  }

  #step(text: string, at: number): number {
    switch (this.#state) {
      case 'ground': {
        const next = text.indexOf(ESC, at);
        this.#keep(next < 0 ? text.slice(at) : text.slice(at, next));
        if (next < 0) return text.length;
        this.#state = 'escape';
        return next + 1;
      }
      case 'escape':
        if (text[at] === ']') {
          this.#held = `${ESC}]`;
          this.#state = 'name';
          return at + 1;
        }
        this.#keep(ESC);
        this.#state = 'ground';
        return at;
      case 'name':
        return this.#name(text, at);
      case 'body':
        return this.#body(text, at);
      case 'bodyEscape':
        // Any ESC ends a command, but only ESC backslash is part of it.
        if (text[at] !== '\\') {
          this.#state = 'escape';
          return at;
        }
        if (!this.#kind.strip) this.#keep(`${ESC}\\`);
        this.#state = 'ground';
        return at + 1;
    }
  }

  #name(text: string, at: number): number {
    const char = text[at] ?? '';
    const isEnd = TERMINATORS.includes(char);
    if (!isEnd) this.#held += char;
    const kind = classify(this.#held.slice(2), isEnd);
    if (!kind) return at + 1;
    this.#kind = kind;
    this.#payload = kind.capture > 0 ? this.#held.slice(2 + kind.nameChars) : undefined;
    if (!kind.strip) this.#keep(this.#held);
    this.#held = '';
    this.#state = 'body';
    return isEnd ? at : at + 1;
  }

  #body(text: string, at: number): number {
    TERMINATOR.lastIndex = at;
    const end = TERMINATOR.exec(text)?.index ?? text.length;
    const part = text.slice(at, end);
    if (!this.#kind.strip) this.#keep(part);
    if (this.#payload !== undefined) this.#payload += part;
    if (this.#payload !== undefined && this.#payload.length > this.#kind.capture) this.#payload = undefined;
    const terminator = text[end];
    if (terminator === undefined) return end;
    if (terminator !== ESC && !this.#kind.strip) this.#keep(terminator);
    const isAborted = terminator === CAN || terminator === SUB;
    if (this.#payload !== undefined && !isAborted) {
      this.#pieces.push({ number: this.#kind.number, payload: this.#payload });
    }
    this.#payload = undefined;
    this.#state = terminator === ESC ? 'bodyEscape' : 'ground';
    return end + 1;
  }

  #keep(text: string): void {
    if (text === '') return;
    const last = this.#pieces.length - 1;
    const before = this.#pieces[last];
    if (typeof before === 'string') this.#pieces[last] = before + text;
    else this.#pieces.push(text);
  }

  #take(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

interface Kind {
  readonly number: number;
  readonly strip: boolean;
  /** The longest payload to capture, in UTF-16 units; 0 for none. */
  readonly capture: number;
  /** UTF-16 units before the payload. */
  readonly nameChars: number;
}

const PLAIN: Kind = { number: -1, strip: false, capture: 0, nameChars: 0 };

/** Classifies a command by its start; undefined if that is too short to tell. */
function classify(start: string, isWhole: boolean): Kind | undefined {
  const digits = /^\d*/.exec(start)?.[0] ?? '';
  if (digits.length > MAX_DIGITS) return PLAIN;
  if (digits.length === start.length && !isWhole) return undefined;
  if (!isWhole || digits.length < start.length) {
    if (start[digits.length] !== ';') return PLAIN;
  }
  const number = Number(digits);
  const nameChars = digits.length + 1;
  switch (digits) {
    case '133':
    case '633':
      return { number, strip: true, capture: MAX_MARK_CHARS, nameChars };
    case '0':
    case '2':
    case '7':
      return { number, strip: false, capture: MAX_TEXT_REPORT_CHARS, nameChars };
    case '1337': {
      const rest = start.slice(nameChars);
      if (ITERM_MARKS.some((mark) => rest.startsWith(mark))) {
        return { number, strip: true, capture: MAX_TEXT_REPORT_CHARS, nameChars };
      }
      return !isWhole && ITERM_MARKS.some((mark) => mark.startsWith(rest)) ? undefined : PLAIN;
    }
    default:
      return PLAIN;
  }
}

const ITERM_MARKS = ['CurrentDir=', 'SetMark', 'RemoteHost=', 'ShellIntegrationVersion='];
const MAX_DIGITS = 4;
const ESC = '\x1b';
const CAN = '\x18';
const SUB = '\x1a';
const TERMINATORS = '\x07\x18\x1a\x1b\x9c';
const TERMINATOR = /[\x07\x18\x1a\x1b\x9c]/g;
