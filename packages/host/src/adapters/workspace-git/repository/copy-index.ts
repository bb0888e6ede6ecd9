import { rm } from 'node:fs/promises';
import { copyIndexFile } from '../../shared/git/copy-index-file.js';
import type { Shadow } from './shadow.js';

/** Copies the user's index with all it knows about each file. False if it cannot, as for an index of several files. */
export async function copyIndex(from: string, to: string, run: Shadow['run']): Promise<boolean> {
  try {
    await copyIndexFile(from, to);
    await run(['ls-files', '--cached', '-z'], { index: to });
    return true;
  } catch {
    await rm(to, { force: true });
    return false;
  }
}
