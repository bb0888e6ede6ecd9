import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepository, isLinkedWorkTree } from '../shared/git/repository-rules.js';
import type { Mount } from './mounts.js';

/**
 * What a program may do with the repository of a session's folder. Whoever can write a whole git folder can have other
 * people's git run a program: by its configuration, its hooks, or a file that leads git elsewhere. So the folder of an
 * ordinary repository can only be read. In a linked work tree git needs to write just a few folders of its repository.
 */
export async function gitMounts(folder: string): Promise<Mount[]> {
  const found = await findRepository(folder).catch(() => undefined); // git must not be used there
  if (!found) return [];
  const { top, gitFolder, commonFolder } = found;
  // Not through a link, which an agent may have made: it would be led to wherever that leads.
  const entry = await existing(top, ['.git']);
  if (entry.length === 0) return [];
  const read = top === folder ? entry : [top, ...entry];
  if (gitFolder === join(top, '.git')) return readable(read);
  // A file that leads elsewhere counts only if it is answered from there: an agent could have written it.
  if (!(await isLinkedWorkTree(found))) return readable(read);
  const shared = await existing(commonFolder, ['objects', 'refs', 'logs']);
  const fixed = await existing(gitFolder, ['commondir', 'gitdir', 'config.worktree']);
  return [
    ...readable([...read, commonFolder]),
    ...[...shared, gitFolder].map((path): Mount => ({ path, as: 'writable' })),
    ...readable(fixed),
  ];
}

function readable(paths: readonly string[]): Mount[] {
  return paths.map((path) => ({ path, as: 'readable' }));
}

/** Those that are there and no links. */
async function existing(folder: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      return stats && !stats.isSymbolicLink() ? [join(folder, name)] : [];
    }),
  );
  return found.flat();
}
