import { Buffer } from 'node:buffer';
import type { PieceEncoding } from '../shared/transport/long-text.js';

/** Encodes text frames of a server (RFC 6455, section 5.2): final, unmasked, uncompressed. */
export function encodeTextFrames(texts: readonly string[]): Uint8Array {
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + headerSize(size) + size, 0));
  let offset = 0;
  texts.forEach((text, index) => {
    const size = sizes[index] ?? 0;
    offset = writeHeader(bytes, offset, FINAL_TEXT, size);
    offset += bytes.write(text, offset);
  });
  return bytes;
}

/** A text frame that is written piece by piece: its header has the length of all of it. */
export function textFrameInPieces(text: string): PieceEncoding {
  const size = Buffer.byteLength(text);
  const before = Buffer.allocUnsafe(headerSize(size));
  writeHeader(before, 0, FINAL_TEXT, size);
  return { before, after: new Uint8Array(), encode: (piece) => Buffer.from(piece) };
}

/** Encodes the answer to a ping, which repeats the ping's payload (at most 125 bytes). */
export function encodePong(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(FINAL_PONG, payload.length), payload]);
}

export const PING: Uint8Array = Uint8Array.of(0x89, 0);

function headerSize(size: number): number {
  if (size < 126) return 2;
  return size < 0x10000 ? 4 : 10;
}

function writeHeader(bytes: Buffer, offset: number, first: number, size: number): number {
  bytes[offset] = first;
  if (size < 126) {
    bytes[offset + 1] = size;
    return offset + 2;
  }
  if (size < 0x10000) {
    bytes[offset + 1] = 126;
    return bytes.writeUInt16BE(size, offset + 2);
  }
  bytes[offset + 1] = 127;
  bytes.writeUInt32BE(Math.floor(size / 2 ** 32), offset + 2);
  return bytes.writeUInt32BE(size % 2 ** 32, offset + 6);
}

const FINAL_TEXT = 0x81;
const FINAL_PONG = 0x8a;
