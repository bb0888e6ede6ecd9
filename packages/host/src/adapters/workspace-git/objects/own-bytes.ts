/** Copies a buffer that is a slice of a larger one: otherwise keeping it would keep all of the larger one in memory. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
