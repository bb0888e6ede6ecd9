/** A number in SQLite's variable-length format; undefined if it exceeds the buffer or the safe integers. */
export function readVarint(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? { value, end: at + 1 } : undefined;
  }
  return undefined;
}
