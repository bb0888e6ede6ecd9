import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import type { Shadow } from './shadow.js';

/** A copy of the user's index knows all they know of each file; false for an index that is spread over several files. */
export async function copyIndex(from: string, to: string, run: Shadow['run']): Promise<boolean> {
  try {
    const { atime, mtimeMs } = await stat(from);
    await copyFile(from, to);
    // Git distrusts files that are as young as the index; a younger copy would hide an edit just after the last commit.
    await utimes(to, atime, Math.floor(mtimeMs) / 1000);
    await run(['ls-files', '--cached', '-z'], { index: to });
    return true;
  } catch {
    await rm(to, { force: true });
    return false;
  }
}
