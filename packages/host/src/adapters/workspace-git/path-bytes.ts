/** A path with one character for each of its bytes, as trees hold them: names need not be UTF-8. */
export function pathBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}

/** The path that such characters stand for; what is not UTF-8 in it is lost. */
export function pathText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
