import { isInside } from '../../paths/inside.js';
import type { FileReader, FileScope } from '../../ports/files.js';
import type { Folders } from '../../ports/folders.js';

/** Allows reading within one folder, wherever it really is, except what the host keeps for itself. */
export async function scopeIn(files: FileReader, folders: Folders, folder: string): Promise<FileScope> {
  const real = await files.locate(folder).catch(() => folder);
  return { may: (access, path) => access === 'read' && isInside(path, real) && !folders.isBarred(path) };
}

/** Allows reading what every client may read. */
export function scopeOfRoots(folders: Folders): FileScope {
  return { may: (access, path) => access === 'read' && folders.contains(path) };
}

/** Allows describing any path, to find out what to watch; no file is read with it. */
export const ANYWHERE: FileScope = { may: (access) => access === 'read' };
