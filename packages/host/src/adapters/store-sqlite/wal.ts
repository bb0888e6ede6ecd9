/** The valid part of SQLite's write-ahead log. The checksum of every frame covers all frames before it. */
export interface WalContent {
  readonly pageSize: number;
  /** The offset of the newest committed version of each page, by page number. */
  readonly pages: ReadonlyMap<number, number>;
  /** Bytes after the last valid commit that cannot be read, but are not left over from before the log last started over. */
  readonly unreadBytes: number;
}

export function readWal(wal: Buffer): WalContent {
  const pages = new Map<number, number>();
  if (wal.length === 0) return { pageSize: 0, pages, unreadBytes: 0 };
  const header = readHeader(wal);
  if (!header) return { pageSize: 0, pages, unreadBytes: wal.length };
  const { pageSize, sums } = header;
  const salts = wal.subarray(16, 24);
  const isOfThisRun = (at: number) => at + 16 <= wal.length && wal.subarray(at + 8, at + 16).equals(salts);
  const frameBytes = FRAME_HEADER + pageSize;
  let uncommitted = new Map<number, number>();
  let end = HEADER;
  let at = HEADER;
  for (; at + frameBytes <= wal.length && isOfThisRun(at); at += frameBytes) {
    sums.add(wal, at, at + 8);
    sums.add(wal, at + FRAME_HEADER, at + frameBytes);
    if (!sums.match(wal, at + 16)) break;
    uncommitted.set(wal.readUInt32BE(at), at + FRAME_HEADER);
    if (wal.readUInt32BE(at + 4) === 0) continue;
    for (const [page, place] of uncommitted) pages.set(page, place);
    uncommitted = new Map();
    end = at + frameBytes;
  }
  // A damaged frame header looks like one from before the log started over. But those come only after all current frames,
  // so a current frame further on means damage.
  const hasLaterFrames = () => {
    for (let later = at; later < wal.length; later += frameBytes) if (isOfThisRun(later)) return true;
    return false;
  };
  // Otherwise the frames at the end belong to a commit that was never finished, so nobody was told that it succeeded.
  const isUnfinished = at + frameBytes > wal.length || !hasLaterFrames();
  return { pageSize, pages, unreadBytes: isUnfinished ? 0 : wal.length - end };
}

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

function readHeader(wal: Buffer): { pageSize: number; sums: Sums } | undefined {
  if (wal.length < HEADER) return undefined;
  const magic = wal.readUInt32BE(0);
  const sums = new Sums((magic & 1) === 1);
  sums.add(wal, 0, HEADER - 8);
  const isHeader = (magic & ~1) >>> 0 === MAGIC && sums.match(wal, HEADER - 8);
  const pageSize = wal.readUInt32BE(8);
  return isHeader && pageSize >= 512 && pageSize <= 65_536 ? { pageSize, sums } : undefined;
}

/** The running checksum of the file format: two words, over pairs of words in either byte order. */
class Sums {
  #first = 0;
  #second = 0;
  readonly #isBigEndian: boolean;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + this.#word(bytes, at) + this.#second) >>> 0;
      this.#second = (this.#second + this.#word(bytes, at + 4) + this.#first) >>> 0;
    }
  }

  match(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }

  #word(bytes: Buffer, at: number): number {
    return this.#isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  }
}
