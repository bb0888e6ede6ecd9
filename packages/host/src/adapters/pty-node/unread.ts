import { readSync } from 'node:fs';
import { MAX_UNREAD_BYTES } from './limits.js';

/**
 * What is left to read of a terminal whose program has ended. Node takes the hang-up for the end of the stream as soon as
 * a read was not filled, and reads of terminals never are: up to some kilobytes would be lost.
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

/** No bytes once the system says that there is nothing more, in whichever way. */
function readSome(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch {
    return 0;
  }
}
