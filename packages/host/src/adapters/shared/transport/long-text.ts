import { Buffer } from 'node:buffer';

/** UTF-16 units that become bytes in one go: about a millisecond. More at once would keep other clients waiting. */
export const LONG_CHARS = 1024 * 1024;

/** How a transport writes a frame piece by piece. */
export interface PieceEncoding {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly encode: (piece: string) => Uint8Array;
}

/** A frame that becomes bytes piece by piece. */
export class LongText {
  readonly #text: string;
  readonly #encodingOf: (text: string) => PieceEncoding;
  #encoding: PieceEncoding | undefined;
  #at = 0;

  constructor(text: string, encodingOf: (text: string) => PieceEncoding) {
    this.#text = text;
    this.#encodingOf = encodingOf;
  }

  /** UTF-16 units that are left. */
  get length(): number {
    return this.#text.length - this.#at;
  }

  /** The next bytes; with the last ones, `length` is 0. */
  next(): Uint8Array {
    this.#encoding ??= this.#encodingOf(this.#text);
    const { before, after, encode } = this.#encoding;
    const start = this.#at;
    this.#at = endOfPiece(this.#text, start);
    const bytes = encode(this.#text.slice(start, this.#at));
    if (start === 0) return Buffer.concat([before, bytes]);
    return this.length === 0 ? Buffer.concat([bytes, after]) : bytes;
  }
}

/** A character of two units is not split: each half alone would become a replacement character. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(start + LONG_CHARS, text.length);
  const isHighSurrogate = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHighSurrogate && end < text.length ? end - 1 : end;
}
