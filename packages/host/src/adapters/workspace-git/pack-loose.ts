import { join } from 'node:path';
import type { Shadow } from './shadow.js';
import { looseObjects } from './stored-bytes.js';

/**
 * Makes one pack of all objects that are a file each: days of edits would leave hundreds of thousands of files, each of
 * which takes a block of the disk, and git looks through them all. They go once the pack is on the disk.
 */
export async function packLoose({ run, directory }: Shadow): Promise<void> {
  const ids = await looseObjects(directory);
  if (ids.length === 0) return;
  const pack = ['pack-objects', '--quiet', join(directory, 'objects', 'pack', 'pack')];
  await run(['-c', 'pack.threads=1', ...pack], { input: `${ids.join('\n')}\n` });
  await run(['prune-packed', '--quiet']);
}
