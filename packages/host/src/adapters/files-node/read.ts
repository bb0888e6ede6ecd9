import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type FileContent, type FileScope, FilesError } from '../../ports/files.js';
import { etagOf, expectFile } from './describe.js';
import { type Entry, expectAllowed, openFile, withEntry } from './entries.js';
import { locate } from './locate.js';

export async function read(path: string, scope: FileScope, maxBytes: number): Promise<FileContent> {
  const { real } = await locate(path);
  expectAllowed(scope, 'read', real);
  return withEntry(real, 'read', scope, (entry) => readEntry(entry, maxBytes));
}

export async function readEntry(entry: Entry, maxBytes: number): Promise<FileContent> {
  const handle = await openFile(entry, constants.O_RDONLY);
  try {
    const stats = await handle.stat({ bigint: true });
    expectFile(stats, entry.real);
    if (stats.size > maxBytes) throw tooLarge(entry.real, Number(stats.size), maxBytes);
    const bytes = await readAtMost(handle, Number(stats.size), maxBytes);
    if (bytes.length > maxBytes) throw tooLarge(entry.real, bytes.length, maxBytes);
    return { bytes, realPath: entry.real, etag: etagOf(stats) };
  } finally {
    await handle.close();
  }
}

export function tooLarge(path: string, size: number, maxBytes: number): FilesError {
  return new FilesError('tooLarge', `${path} is too large: ${size} bytes, the limit is ${maxBytes}.`);
}

/** Reads to the end of a file that may be growing, but stops soon after `maxBytes`; a longer result means too large. */
async function readAtMost(handle: FileHandle, expected: number, maxBytes: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length > maxBytes) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(MORE_BYTES)]);
  }
}

/** Added to the buffer for a file that grew, or whose size the system reports as zero. */
const MORE_BYTES = 64 * 1024;
