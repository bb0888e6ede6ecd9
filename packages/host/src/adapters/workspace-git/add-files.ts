import type { ReadProgress } from '../../ports/workspace.js';
import { GitRefusal } from '../shared/git/git.js';
import { isGitSince } from '../shared/git/git-version.js';
import { joinRecords } from '../shared/git/records.js';
import { BULK_FILES, BULK_STEP } from './limits.js';
import type { Shadow } from './shadow.js';

/**
 * Takes files into the host's index as they are now, each on its own merits: what vanished meanwhile is removed. Says how many
 * contents may have become a file each.
 */
export async function addFiles(
  run: Shadow['run'],
  paths: readonly string[],
  onProgress?: ReadProgress,
): Promise<number> {
  const isBulk = paths.length > BULK_FILES && (await isGitSince(...PACKS_WHAT_IT_ADDS));
  if (!isBulk) {
    await add(run, paths, []);
    return paths.length;
  }
  const step = Math.max(BULK_STEP, Math.ceil(paths.length / 10));
  for (let at = 0; at < paths.length; at += step) {
    onProgress?.(at, paths.length);
    await add(run, paths.slice(at, at + step), AS_ONE_PACK);
  }
  return 0;
}

async function add(run: Shadow['run'], paths: readonly string[], settings: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const input = joinRecords(paths);
  try {
    await run([...settings, 'update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input });
  } catch (error) {
    // What a git did that was killed nobody knows.
    if (!(error instanceof GitRefusal)) throw error;
    // What cannot be read, or is being written to, is left as it was.
    const literal = ['--literal-pathspecs', 'add', '--all', '--sparse', '--ignore-errors'];
    await run([...literal, '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input,
      accept: [1], // some could not be added; with more than that none was
    });
  }
}

/** Older ones would make a pack for each file. */
const PACKS_WHAT_IT_ADDS = [2, 37] as const;

/**
 * Git puts what it takes for large into one pack. Other contents become a file each, which takes eight times as long. They
 * are compressed little, since an agent waits for it, and packed better later.
 */
const AS_ONE_PACK = ['core.bigFileThreshold=1', 'pack.compression=1', 'core.fsync=none'].flatMap((setting) => [
  '-c',
  setting,
]);
