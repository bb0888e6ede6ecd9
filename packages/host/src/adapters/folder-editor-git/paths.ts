import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { EditorFileSystem } from './file-system.js';

/** Why a path from a client or a changeset must not be used; undefined if it may be. */
export function pathProblem(path: string): string | undefined {
  const segments = path.split('/');
  if (path === '' || path.includes('\0') || segments.some((part) => part === '' || part === '.' || part === '..'))
    return 'it lies outside the folder';
  if (segments.some((part) => part.toLowerCase() === '.git')) return 'it belongs to a repository';
  // Bytes that are not UTF-8 have become this character, so the path would name another file.
  if (path.includes('\uFFFD')) return 'its name is not valid UTF-8';
  return undefined;
}

/** The folders above a path, from the top. */
export function parentsOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** The first parent of a path that is not a folder, and what it is. */
export async function blockingParent(
  fs: EditorFileSystem,
  folder: string,
  path: string,
): Promise<{ path: string; kind: 'link' | 'file' } | undefined> {
  for (const parent of parentsOf(path)) {
    const found = await fs.lstat(join(folder, parent)).catch(() => undefined);
    if (!found) return undefined; // then nothing below it exists either
    if (found.isSymbolicLink()) return { path: parent, kind: 'link' };
    if (!found.isDirectory()) return { path: parent, kind: 'file' };
  }
  return undefined;
}

/** Creates the folders above a path, never through a symbolic link. Returns whether any was missing. */
export async function makeParents(fs: EditorFileSystem, folder: string, path: string): Promise<boolean> {
  let made = false;
  for (const parent of parentsOf(path)) {
    const found = await fs.lstat(join(folder, parent)).catch(() => undefined);
    if (found && !found.isDirectory()) throw new FolderEditError('refused', `${path}: ${parent} is not a folder`);
    if (found) continue;
    made = true;
    await fs.mkdir(join(folder, parent)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error; // another step needs the same folder
    });
  }
  return made;
}

/** Removes the folders above a path that are empty now, as git does. */
export async function pruneParents(fs: EditorFileSystem, folder: string, path: string): Promise<void> {
  for (const parent of parentsOf(path).reverse()) {
    try {
      await fs.rmdir(join(folder, parent));
    } catch {
      return; // not empty
    }
  }
}
