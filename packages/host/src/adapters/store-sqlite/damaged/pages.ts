import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { readWal } from '../wal.js';

/** The pages of a database file with its write-ahead log applied, read without SQLite and never written. */
export interface Pages {
  readonly count: number;
  /** Bytes of a page that hold something. */
  readonly usable: number;
  /** Bytes that the file has fewer than its header says. */
  readonly missingBytes: number;
  /** Pages are numbered from 1; undefined where the file ends. */
  read(page: number): Buffer | undefined;
  close(): void;
}

/** What a page has when the file does not say it credibly: SQLite's default, with which stores are made. */
const PAGE_BYTES = 4096;

export function openPages(file: string): Pages {
  const handle = openSync(file, 'r');
  const walFile = `${file}-wal`;
  const log = existsSync(walFile) ? readFileSync(walFile) : Buffer.alloc(0);
  const wal = readWal(log);
  const pageSize = wal.pageSize || pageSizeOf(handle);
  const inFile = Math.ceil(fstatSync(handle).size / pageSize);
  const read = (page: number) => {
    const place = wal.pages.get(page);
    if (place !== undefined) return log.subarray(place, place + pageSize);
    const bytes = Buffer.alloc(pageSize); // what a cut file lacks of its last page reads as zeros
    return readSync(handle, bytes, 0, pageSize, (page - 1) * pageSize) > 0 ? bytes : undefined;
  };
  const { size } = fstatSync(handle);
  const said = isHeader(read(1)) ? (read(1)?.readUInt32BE(28) ?? 0) * pageSize : 0;
  // While there is a log, the file is as long as its last checkpoint left it.
  const missing = wal.pages.size === 0 && said < MAX_CREDIBLE_BYTES ? Math.max(0, said - size) : 0;
  return {
    count: Math.max(inFile, ...wal.pages.keys()),
    usable: pageSize,
    missingBytes: missing,
    read,
    close: () => closeSync(handle),
  };
}

function pageSizeOf(handle: number): number {
  const header = Buffer.alloc(100);
  readSync(handle, header, 0, header.length, 0);
  const said = header.readUInt16BE(16);
  return isHeader(header) && said >= 512 && (said & (said - 1)) === 0 ? said : PAGE_BYTES;
}

function isHeader(page: Buffer | undefined): boolean {
  return page?.toString('latin1', 0, 15) === 'SQLite format 3';
}

/** A larger file than this is none of ours: a changed byte of the header says so. */
const MAX_CREDIBLE_BYTES = 2 ** 40;

/** Pages that hold nothing any more: what is still in them was deleted. */
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
