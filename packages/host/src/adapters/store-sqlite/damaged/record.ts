import { readVarint } from './varint.js';

/** A column of a row. Of a text, only its place and length, which is enough to tell which table a row belongs to. */
export type Column = null | number | { readonly text: number; readonly at: number } | 'blob';

/** Reads the columns of a row, of which `payload` may be only the beginning; undefined if it is not a valid row. */
export function columnsOf(payload: Buffer, payloadBytes: number): readonly Column[] | undefined {
  const header = readVarint(payload, 0);
  if (!header || header.value > payload.length) return undefined;
  const columns: Column[] = [];
  let at = header.value;
  for (let place = header.end; place < header.value; ) {
    const type = readVarint(payload, place);
    if (!type || type.end > header.value) return undefined;
    place = type.end;
    const bytes = bytesOf(type.value);
    if (bytes === undefined || at + bytes > payloadBytes) return undefined;
    if (type.value >= 12) columns.push(type.value % 2 === 1 ? { text: bytes, at } : 'blob');
    // A number behind a long text is on another page. Nothing that is recovered needs one, only that it is a number.
    else if (bytes > 0 && at + bytes > payload.length) columns.push(Number.NaN);
    else columns.push(numberAt(payload, at, type.value));
    at += bytes;
  }
  return at === payloadBytes ? columns : undefined;
}

export function textAt(payload: Buffer, { at, text }: { readonly at: number; readonly text: number }): string {
  return payload.toString('utf8', at, at + text);
}

function bytesOf(type: number): number | undefined {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type];
}

function numberAt(payload: Buffer, at: number, type: number): number | null {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 6) return Number(payload.readBigInt64BE(at));
  return payload.readIntBE(at, bytesOf(type) ?? 1);
}
