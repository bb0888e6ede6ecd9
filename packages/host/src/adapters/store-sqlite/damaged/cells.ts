import type { Pages } from './pages.js';
import { readVarint } from './varint.js';

export interface Cell {
  /** Its offset in the page. */
  readonly at: number;
  /** The number of a row; undefined in an index. */
  readonly rowid: number | undefined;
  readonly payloadBytes: number;
  /** The part of the payload that is in the page itself. */
  readonly local: Buffer;
  /** The first overflow page; 0 if the whole payload is local. */
  readonly overflow: number;
}

/** The cells of a page with table rows or index entries. Invalid cells are skipped. */
export function* cellsOf(page: Buffer, isFirst: boolean, usable: number): Generator<Cell> {
  const start = isFirst ? 100 : 0; // the first page begins with the file header
  const type = page[start];
  if (type !== TABLE_LEAF && type !== INDEX_LEAF && type !== INDEX_INTERIOR) return;
  const pointers = start + (type === INDEX_INTERIOR ? 12 : 8);
  const count = Math.min(page.readUInt16BE(start + 3), Math.floor((usable - pointers) / 2));
  for (let index = 0; index < count; index++) {
    const at = page.readUInt16BE(pointers + index * 2);
    const cell = readCell(page, at, type, usable);
    if (cell) yield cell;
  }
}

const TABLE_LEAF = 0x0d;
const INDEX_LEAF = 0x0a;
const INDEX_INTERIOR = 0x02;

/** Reads a table cell again at an offset where `cellsOf` found one. */
export function rowCellAt(page: Buffer, at: number, usable: number): Cell | undefined {
  return readCell(page, at, TABLE_LEAF, usable);
}

function readCell(page: Buffer, start: number, type: number, usable: number): Cell | undefined {
  const size = readVarint(page, start + (type === INDEX_INTERIOR ? 4 : 0));
  const rowid = type === TABLE_LEAF && size ? readVarint(page, size.end) : undefined;
  const from = type === TABLE_LEAF ? rowid?.end : size?.end;
  if (!size || from === undefined || size.value < 2 || size.value > MAX_PAYLOAD_BYTES) return undefined;
  const local = localBytes(size.value, type, usable);
  const isWhole = local === size.value;
  if (from + local + (isWhole ? 0 : 4) > usable) return undefined;
  return {
    at: start,
    rowid: rowid?.value,
    payloadBytes: size.value,
    local: page.subarray(from, from + local),
    overflow: isWhole ? 0 : page.readUInt32BE(from + local),
  };
}

/** SQLite's limit for one row. */
const MAX_PAYLOAD_BYTES = 1_000_000_000;

/** How much of a payload the file format stores in the page itself. */
function localBytes(payload: number, type: number, usable: number): number {
  const most = type === TABLE_LEAF ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload <= most) return payload;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((payload - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

/** The whole payload; undefined if its chain of overflow pages is broken. */
export function payloadOf({ payloadBytes, local, overflow }: Cell, pages: Pages): Buffer | undefined {
  if (overflow === 0) return local;
  const pieces = [local];
  let left = payloadBytes - local.length;
  if (left > pages.count * pages.usable) return undefined;
  for (let next = overflow; left > 0; ) {
    const page = next > 0 && next <= pages.count ? pages.read(next) : undefined;
    if (!page) return undefined;
    const piece = page.subarray(4, Math.min(pages.usable, 4 + left));
    pieces.push(piece);
    left -= piece.length;
    next = page.readUInt32BE(0);
  }
  return Buffer.concat(pieces);
}
