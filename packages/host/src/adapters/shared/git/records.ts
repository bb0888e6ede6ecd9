/** Each character is one byte, because names need not be UTF-8 and must go back to git unchanged. */
export function splitRecords(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

export function joinRecords(records: readonly string[]): Buffer {
  return Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1');
}
