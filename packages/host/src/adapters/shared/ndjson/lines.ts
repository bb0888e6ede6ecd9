import { Buffer, isUtf8 } from 'node:buffer';
import { CloseCodes } from '@moorage/protocol';
import type { PieceEncoding } from '../transport/long-text.js';

/** One line per frame. A line break inside a frame becomes a space: JSON allows both only between tokens. */
export function encodeLines(frames: readonly string[]): Uint8Array {
  let text = '';
  for (const frame of frames) text += `${onOneLine(frame)}\n`;
  return Buffer.from(text);
}

/** A line that is written piece by piece. */
export const LINE_IN_PIECES: PieceEncoding = {
  before: new Uint8Array(),
  after: Buffer.from('\n'),
  encode: (piece) => Buffer.from(onOneLine(piece)),
};

function onOneLine(text: string): string {
  return LINE_BREAK.test(text) ? text.replace(LINE_BREAKS, ' ') : text;
}

/**
 * Splits a byte stream into lines. It splits bytes rather than text: no UTF-8 sequence contains a line break, so a character
 * split across chunks is no problem, and the limit counts the bytes actually sent.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onViolation: (code: number, reason: string) => void;
  #held = EMPTY;
  #heldBytes = 0;
  #failed = false;

  constructor(maxBytes: number, onLine: (line: string) => void, onViolation: (code: number, reason: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onViolation = onViolation;
  }

  push(chunk: Buffer): void {
    let start = 0;
    while (!this.#failed) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) {
        this.#hold(chunk.subarray(start));
        return;
      }
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
  }

  #finish(piece: Buffer): void {
    if (this.#heldBytes === 0) {
      this.#emit(piece);
      return;
    }
    this.#hold(piece);
    const line = this.#held.subarray(0, this.#heldBytes);
    this.#heldBytes = 0;
    // After a long line, its buffer is released rather than kept for the rest of the connection.
    if (this.#held.length > KEPT_BYTES) this.#held = EMPTY;
    this.#emit(line);
  }

  // Doubling the buffer takes linear time, and at most twice the line's size, even if a long line comes in tiny chunks.
  #hold(piece: Buffer): void {
    const bytes = this.#heldBytes + piece.length;
    // One more for a carriage return, which does not count.
    if (bytes > this.#maxBytes + 1) this.#fail(CloseCodes.MessageTooBig, `line longer than ${this.#maxBytes} bytes`);
    if (this.#failed) return;
    if (bytes > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(bytes, 2 * this.#held.length));
      this.#held.copy(grown, 0, 0, this.#heldBytes);
      this.#held = grown;
    }
    piece.copy(this.#held, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #emit(bytes: Buffer): void {
    if (this.#failed) return;
    const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
    if (line.length > this.#maxBytes) this.#fail(CloseCodes.MessageTooBig, `line longer than ${this.#maxBytes} bytes`);
    else if (!isUtf8(line)) this.#fail(CloseCodes.InvalidText, 'line is not UTF-8');
    else if (line.length > 0) this.#onLine(line.toString());
  }

  #fail(code: number, reason: string): void {
    this.#failed = true;
    this.#held = EMPTY;
    this.#onViolation(code, reason);
  }
}

/** Bytes of line buffer that a connection keeps between lines, 64 KiB: the most that one read of a socket returns. */
const KEPT_BYTES = 64 * 1024;
const EMPTY = Buffer.alloc(0);
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LINE_BREAK = /[\r\n]/;
const LINE_BREAKS = /[\r\n]+/g;
