import { isInside } from '../../paths/inside.js';
import type { FileReader, FileScope } from '../../ports/files.js';
import type { Folders } from '../../ports/folders.js';

/** Reading within one folder, wherever that really is, and never what the host keeps for itself. */
export async function scopeIn(files: FileReader, folders: Folders, folder: string): Promise<FileScope> {
  const real = await files.locate(folder).catch(() => folder);
  return { may: (access, path) => access === 'read' && isInside(path, real) && !folders.isBarred(path) };
}

/** Reading what every client may read. */
export function scopeOfRoots(folders: Folders): FileScope {
  return { may: (access, path) => access === 'read' && folders.contains(path) };
}

/** For finding out what there is to watch; nothing is read with it. */
export const ANYWHERE: FileScope = { may: (access) => access === 'read' };
