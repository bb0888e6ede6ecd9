import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * A copy of an index, which knows all that the original knows of each file. Git looks closer at files that are as young as the
 * index: a younger copy would hide an edit just after the last commit.
 */
export async function copyIndexFile(from: string, to: string): Promise<void> {
  const { atime, mtimeMs } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, Math.floor(mtimeMs) / 1000);
}
