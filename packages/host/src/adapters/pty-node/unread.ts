import { readSync } from 'node:fs';
import { MAX_UNREAD_BYTES } from './limits.js';

/**
 * Reads the rest of a terminal's output after its program has ended. Node takes the hang-up for the end of the stream as
 * soon as a read returns less than it asked for, as reads of terminals always do, and would lose some kilobytes.
 */
export function readUnread(fd: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let total = 0; total < MAX_UNREAD_BYTES; ) {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    const bytes = readSome(fd, buffer);
    if (bytes === 0) break;
    chunks.push(buffer.subarray(0, bytes));
    total += bytes;
  }
  return chunks;
}

/** Returns 0 at the end. Some systems report the end as an error. */
function readSome(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0;
  }
}
