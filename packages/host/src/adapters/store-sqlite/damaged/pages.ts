import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { readWal } from '../wal.js';

/** The pages of a database file with its write-ahead log applied, read without SQLite and never written. */
export interface Pages {
  readonly count: number;
  /** Usable bytes per page. */
  readonly usable: number;
  /** By how many bytes the file is shorter than its header says. */
  readonly missingBytes: number;
  /** The number that the file's header has for the format of the store; undefined if that is damaged. */
  readonly format: number | undefined;
  /** Pages are numbered from 1. Undefined beyond the end of the file. */
  read(page: number): Buffer | undefined;
  close(): void;
}

/** SQLite's default, which stores use. Assumed if the file's header is damaged. */
const DEFAULT_PAGE_BYTES = 4096;

export function openPages(file: string): Pages {
  const handle = openSync(file, 'r');
  const walFile = `${file}-wal`;
  const log = existsSync(walFile) ? readFileSync(walFile) : Buffer.alloc(0);
  const wal = readWal(log);
  const pageSize = wal.pageSize || pageSizeOf(handle);
  const pagesInFile = Math.ceil(fstatSync(handle).size / pageSize);
  const read = (page: number) => {
    const offset = wal.pages.get(page);
    if (offset !== undefined) return log.subarray(offset, offset + pageSize);
    const bytes = Buffer.alloc(pageSize); // the missing part of a truncated last page reads as zeros
    return readSync(handle, bytes, 0, pageSize, (page - 1) * pageSize) > 0 ? bytes : undefined;
  };
  const { size } = fstatSync(handle);
  const header = isHeader(read(1)) ? read(1) : undefined;
  const expected = (header?.readUInt32BE(28) ?? 0) * pageSize;
  // With pages in the log, the file may well be shorter: it has its length since the last checkpoint.
  const missing = wal.pages.size === 0 && expected < MAX_CREDIBLE_BYTES ? Math.max(0, expected - size) : 0;
  return {
    count: lastOf(wal.pages.keys(), pagesInFile),
    usable: pageSize,
    missingBytes: missing,
    format: header?.readUInt32BE(60),
    read,
    close: () => closeSync(handle),
  };
}

function pageSizeOf(handle: number): number {
  const header = Buffer.alloc(100);
  readSync(handle, header, 0, header.length, 0);
  const size = header.readUInt16BE(16);
  return isHeader(header) && size >= 512 && (size & (size - 1)) === 0 ? size : DEFAULT_PAGE_BYTES;
}

function isHeader(page: Buffer | undefined): boolean {
  return page?.toString('latin1', 0, 15) === 'SQLite format 3';
}

/** A header that announces a larger file is damaged. */
const MAX_CREDIBLE_BYTES = 2 ** 40;

/** Pages on the free list. Their contents were deleted. */
export function freePages(pages: Pages): ReadonlySet<number> {
  const free = new Set<number>();
  let trunk = pages.read(1)?.readUInt32BE(32) ?? 0;
  while (trunk > 0 && trunk <= pages.count && !free.has(trunk)) {
    free.add(trunk);
    const bytes = pages.read(trunk);
    if (!bytes) break;
    const leaves = Math.min(bytes.readUInt32BE(4), pages.usable / 4 - 2);
    for (let leaf = 0; leaf < leaves; leaf++) free.add(bytes.readUInt32BE(8 + leaf * 4));
    trunk = bytes.readUInt32BE(0);
  }
  return free;
}

/** Not `Math.max(...numbers)`: a large log has more pages than a call can take arguments. */
function lastOf(numbers: Iterable<number>, least: number): number {
  let last = least;
  for (const number of numbers) if (number > last) last = number;
  return last;
}
