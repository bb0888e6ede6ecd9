import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** An object to pack: its content as it is, not compressed. */
export interface PackedObject {
  readonly id: string;
  readonly type: 'blob' | 'tree';
  readonly content: Buffer;
}

/** The two files of a pack, as git's `gitformat-pack` describes them (version 2 of both). */
export interface PackFile {
  readonly name: string;
  readonly pack: Buffer;
  readonly index: Buffer;
}

/** Packs objects without starting git. They are compressed, but not stored as differences from one another. */
export function packFile(objects: readonly PackedObject[], algorithm: string, level: number): PackFile {
  const header = Buffer.alloc(12);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts = [header];
  let offset = header.length;
  const entries = objects.map(({ id, type, content }) => {
    const bytes = Buffer.concat([entryHeader(type, content.length), deflateSync(content, { level })]);
    const entry = { id, offset, sum: crc32(bytes) };
    parts.push(bytes);
    offset += bytes.length;
    return entry;
  });
  const body = Buffer.concat(parts);
  const sum = hash(algorithm, body, 'buffer');
  const index = packIndex(entries, sum, algorithm);
  return { name: `pack-${sum.toString('hex')}`, pack: Buffer.concat([body, sum]), index };
}

interface IndexEntry {
  readonly id: string;
  readonly offset: number;
  readonly sum: number;
}

function packIndex(entries: readonly IndexEntry[], packSum: Buffer, algorithm: string): Buffer {
  const sorted = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const firstBytes = sorted.map(({ id }) => Number.parseInt(id.slice(0, 2), 16));
  let upTo = 0;
  const fanOut = Array.from({ length: 256 }, (_, byte) => {
    while (upTo < firstBytes.length && (firstBytes[upTo] ?? 0) <= byte) upTo++;
    return upTo;
  });
  const body = Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63]), // "\377tOc"
    numbers([2, ...fanOut]),
    Buffer.from(sorted.map(({ id }) => id).join(''), 'hex'),
    numbers(sorted.map(({ sum }) => sum)),
    numbers(sorted.map(({ offset }) => offset)),
    packSum,
  ]);
  return Buffer.concat([body, hash(algorithm, body, 'buffer')]);
}

const TYPES = { tree: 2, blob: 3 };

/** The type and the lowest four bits of the size, then seven bits of it in each further byte, the last one below 128. */
function entryHeader(type: keyof typeof TYPES, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (TYPES[type] << 4) | (size & 0x0f);
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Buffer.from([...bytes, byte]);
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
