import { Buffer } from 'node:buffer';
import type { PieceEncoding } from '../shared/transport/long-text.js';

const LENGTH_BYTES = 4;

/** Each message as its length in bytes and its text in UTF-8. */
export function encodeMessages(texts: readonly string[]): Uint8Array {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + LENGTH_BYTES + length, 0));
  let at = 0;
  for (const [index, text] of texts.entries()) {
    const length = lengths[index] ?? 0;
    bytes.writeUInt32BE(length, at);
    bytes.write(text, at + LENGTH_BYTES, length);
    at += LENGTH_BYTES + length;
  }
  return bytes;
}

export function messageInPieces(text: string): PieceEncoding {
  const before = Buffer.allocUnsafe(LENGTH_BYTES);
  before.writeUInt32BE(Buffer.byteLength(text));
  return { before, after: new Uint8Array(0), encode: (piece) => Buffer.from(piece) };
}

/** Puts messages together again from bytes that were cut anywhere. */
export class MessageReader {
  readonly #maxBytes: number;
  readonly #onMessage: (text: string) => void;
  readonly #onTooLong: () => void;
  #chunks: Uint8Array[] = [];
  #held = 0;
  /** Bytes of the message under way; undefined while its length is not known. */
  #length: number | undefined;

  constructor(maxBytes: number, onMessage: (text: string) => void, onTooLong: () => void) {
    this.#maxBytes = maxBytes;
    this.#onMessage = onMessage;
    this.#onTooLong = onTooLong;
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#held += bytes.length;
    while (this.#held >= (this.#length ?? LENGTH_BYTES)) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks);
      const wanted = this.#length ?? LENGTH_BYTES;
      const taken = Buffer.from(all.buffer, all.byteOffset, wanted);
      this.#chunks = [all.subarray(wanted)];
      this.#held -= wanted;
      if (this.#length === undefined) {
        this.#length = taken.readUInt32BE();
        if (this.#length > this.#maxBytes) {
          this.#onTooLong();
          return;
        }
      } else {
        this.#length = undefined;
        this.#onMessage(taken.toString());
      }
    }
  }
}
