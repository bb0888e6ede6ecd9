import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * Copies an index along with its modification time. Git rereads files that are as new as the index, so a newer copy
 * would hide an edit made just after the last commit.
 */
export async function copyIndexFile(from: string, to: string): Promise<void> {
  const { atime, mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, Math.floor(mtimeMs) / 1000);
}
