import type { ReadProgress } from '../../../ports/workspace.js';
import { GitRefusal } from '../../shared/git/git.js';
import { isGitSince } from '../../shared/git/git-version.js';
import { joinRecords } from '../../shared/git/records.js';
import { BULK_FILES, BULK_STEP } from '../limits.js';
import type { Shadow } from '../repository/shadow.js';

/**
 * Updates these files in the host's index; a file that has vanished meanwhile is removed from it. Resolves to how many
 * loose objects git may have written.
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
    // A git that was killed may have done anything.
    if (!(error instanceof GitRefusal)) throw error;
    // A file that cannot be read, or is being written to, keeps its entry in the index.
    const literal = ['--literal-pathspecs', 'add', '--all', '--sparse', '--ignore-errors'];
    await run([...literal, '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input,
      accept: [1], // some files could not be added; with a higher code none was
    });
  }
}

/** The git version since which a bulk add makes one pack; older ones would make a pack for each file. */
const PACKS_WHAT_IT_ADDS = [2, 37] as const;

/**
 * Git writes files that it considers large into one pack, and any other into a file of its own, which takes eight times
 * as long. Compression is light because an agent waits for this; the objects are packed better later.
 */
const AS_ONE_PACK = ['core.bigFileThreshold=1', 'pack.compression=1', 'core.fsync=none'].flatMap((setting) => [
  '-c',
  setting,
]);
