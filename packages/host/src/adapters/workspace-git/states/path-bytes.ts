/** A path with one character for each byte, as `Trees` uses them, because names need not be UTF-8. */
export function pathBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}

/** The reverse of `pathBytes`; bytes that are not UTF-8 are lost. */
export function pathText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
