import type { URI } from '@moorage/protocol';
import { isInside } from '../../paths/inside.js';
import { FolderError, type Folders } from '../../ports/folders.js';

/** The folders of a session or chat: each is watched, and read at the start and end of every turn. */
const MAX_FOLDERS = 16;

/** Why a session or chat may not have these folders together; undefined if it may. */
export function foldersProblem(folders: Folders, uris: readonly URI[]): string | undefined {
  if (uris.length > MAX_FOLDERS) return `a session can have ${MAX_FOLDERS} folders`;
  const paths: string[] = [];
  for (const uri of uris) {
    try {
      paths.push(folders.resolve(uri));
    } catch (error) {
      if (error instanceof FolderError) return error.message;
      throw error;
    }
  }
  for (const [index, path] of paths.entries()) {
    const other = paths.find((one, at) => at !== index && isInside(path, one));
    if (other === path) return `${path} is named twice`;
    if (other !== undefined)
      return `${path} is inside ${other}, so its files are part of that already; name only one of them`;
  }
  return undefined;
}

/** The first of these folders, and those of the others that can be used with it. */
export function usableFolders(folders: Folders, uris: readonly URI[]): URI[] {
  const used: URI[] = [];
  for (const uri of uris)
    if (used.length === 0 || foldersProblem(folders, [...used, uri]) === undefined) used.push(uri);
  return used;
}
