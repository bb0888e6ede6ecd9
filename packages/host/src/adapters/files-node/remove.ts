import { rmdir, unlink } from 'node:fs/promises';
import { type FileScope, FilesError } from '../../ports/files.js';
import type { KeyedQueue } from '../../queues/keyed-queue.js';
import { statEntry } from './describe.js';
import { expectAllowed, withEntry } from './entries.js';
import { locateEntry } from './locate.js';
import { removeTree } from './trees.js';

export async function remove(path: string, scope: FileScope, recursive: boolean, queue: KeyedQueue): Promise<void> {
  const { real, missing } = await locateEntry(path);
  expectAllowed(scope, 'remove', real);
  if (missing.length > 0) throw new FilesError('notFound', `${path} does not exist.`);
  await queue.run(real, () =>
    withEntry(real, 'remove', scope, async (entry) => {
      const stats = await statEntry(entry);
      if (!stats) throw new FilesError('notFound', `${path} does not exist.`);
      if (!stats.isDirectory()) await unlink(entry.path);
      else if (recursive) await removeTree(entry);
      else await rmdir(entry.path);
    }),
  );
}
