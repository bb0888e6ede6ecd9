/** Each character is one byte, because names need not be UTF-8 and must go back to git unchanged. */
export function splitRecords(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

export function joinRecords(records: readonly string[]): Buffer {
  return Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1');
}

/** Reads records from chunks as they come, so that very many of them are never one piece of work. */
export function recordReader(onRecord: (record: string) => void): (chunk: Buffer) => void {
  let begun = '';
  return (chunk) => {
    const records = (begun + chunk.toString('latin1')).split('\0');
    begun = records.pop() ?? '';
    for (const record of records) onRecord(record);
  };
}
