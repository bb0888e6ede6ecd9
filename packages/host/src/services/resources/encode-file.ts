import type { ContentEncoding, ResourceReadResult } from '@moorage/protocol';
import { encodeContent } from '../content/encoding.js';
import { MAX_FILE_BYTES } from './limits.js';

/**
 * Encodes a file for the wire. A file with a NUL byte is binary, as for git; text that JSON escapes would bloat also
 * goes as base64.
 */
export function encodeFile(bytes: Uint8Array, encoding: ContentEncoding | undefined): ResourceReadResult {
  return encodeContent(bytes, bytes.includes(0) || isBloated(bytes) ? 'base64' : encoding);
}

/** Whether it would be longer as a JSON string than the largest file as base64. */
function isBloated(bytes: Uint8Array): boolean {
  if (bytes.length * ESCAPED_CHARS <= MAX_CHARS) return false;
  let chars = bytes.length;
  for (const byte of bytes) {
    if (byte < 0x20) chars += ESCAPED_CHARS - 1;
    else if (byte === QUOTE || byte === BACKSLASH) chars++;
  }
  return chars > MAX_CHARS;
}

const MAX_CHARS = Math.ceil(MAX_FILE_BYTES / 3) * 4;
const ESCAPED_CHARS = 6; // a control character becomes \u0001
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
