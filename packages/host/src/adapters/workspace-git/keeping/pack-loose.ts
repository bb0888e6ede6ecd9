import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { typesOf } from '../objects/object-types.js';
import type { Shadow } from '../repository/shadow.js';
import { looseObjects, sizeOf } from './stored-bytes.js';

/**
 * Packs all loose objects. Days of edits would leave hundreds of thousands of files, each of which takes a disk block,
 * and git searches them all. They are removed once the pack is on the disk.
 */
export async function packLoose({ run, directory }: Shadow): Promise<void> {
  const loose = await looseObjects(directory);
  const readable = await typesOf(run, loose);
  const ids = [...readable.keys()];
  for (const id of loose)
    if (!readable.has(id)) await removeEmpty(join(directory, 'objects', id.slice(0, 2), id.slice(2)));
  if (ids.length === 0) return;
  const pack = ['pack-objects', '--quiet', join(directory, 'objects', 'pack', 'pack')];
  await run(['-c', 'pack.threads=1', ...pack], { input: `${ids.join('\n')}\n` });
  await run(['prune-packed', '--quiet']);
}

/** A power failure leaves empty files. Git would neither write such an object again nor pack the others. */
async function removeEmpty(path: string): Promise<void> {
  if ((await sizeOf(path)) === 0) await rm(path, { force: true });
}
