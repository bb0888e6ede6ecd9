import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { type FileDescription, type FileScope, FilesError } from '../../ports/files.js';
import { type Entry, expectAllowed, withEntry } from './entries.js';
import { locate, locateEntry } from './locate.js';
import { isSystemError } from './system-errors.js';

export async function describe(path: string, scope: FileScope, followLink: boolean): Promise<FileDescription> {
  const { real } = followLink ? await locate(path) : await locateEntry(path);
  expectAllowed(scope, 'read', real);
  return withEntry(real, 'read', scope, async (entry) => {
    const stats = await lstat(entry.path, { bigint: true });
    return {
      realPath: entry.real,
      type: typeOf(stats, entry.real),
      size: Number(stats.size),
      modifiedAt: stats.mtime,
      changedAt: stats.ctime,
      etag: etagOf(stats),
    };
  });
}

/** Undefined if the entry does not exist. */
export async function statEntry({ path }: Entry): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Changes with the inode, the size and the times, so that the content need not be read. */
export function etagOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('-');
}

export function expectFile(stats: BigIntStats, real: string): void {
  if (stats.isDirectory()) throw new FilesError('isFolder', `${real} is a folder.`);
  if (stats.isSymbolicLink()) throw new FilesError('failed', `${real} was replaced during the operation; try again.`);
  if (!stats.isFile()) throw new FilesError('notFile', `${real} is not a regular file.`);
}

function typeOf(stats: BigIntStats, real: string): FileDescription['type'] {
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFile()) return 'file';
  throw new FilesError('notFile', `${real} is neither a file nor a folder.`);
}
