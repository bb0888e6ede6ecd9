import { open } from 'node:fs/promises';

/** Files in an index of git's: it begins with `DIRC`, a version and their number. */
export async function countFiles(index: string): Promise<number> {
  const file = await open(index).catch(() => undefined);
  if (!file) return 0;
  try {
    const header = Buffer.alloc(12);
    await file.read(header, 0, header.length, 0);
    return header.readUInt32BE(8);
  } finally {
    await file.close();
  }
}
