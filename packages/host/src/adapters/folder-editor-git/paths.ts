import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { KnownModes } from '../shared/known-modes.js';
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

/** The deepest folder above a path that is there; empty for the top. */
export async function deepestFolder(fs: EditorFileSystem, folder: string, path: string): Promise<string> {
  for (const parent of parentsOf(path).reverse()) {
    if ((await fs.lstat(join(folder, parent)).catch(() => undefined))?.isDirectory()) return parent;
  }
  return '';
}

interface FolderContext {
  readonly fs: EditorFileSystem;
  readonly folder: string;
  readonly modes: KnownModes;
}

/** Creates the folders above a path, never through a symbolic link. Returns whether any was missing. */
export async function makeParents({ fs, folder, modes }: FolderContext, path: string): Promise<boolean> {
  let made = false;
  for (const parent of parentsOf(path)) {
    const full = join(folder, parent);
    const found = await fs.lstat(full).catch(() => undefined);
    if (found && !found.isDirectory()) throw new FolderEditError('refused', `${path}: ${parent} is not a folder`);
    if (found) continue;
    made = true;
    const mode = modes.ofFolder(parent);
    try {
      await fs.mkdir(full, mode === undefined ? {} : { mode: mode | OWNER_WRITES });
      if (mode !== undefined) await fs.chmod(full, mode | OWNER_WRITES); // whatever the umask
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another step needs the same folder
    }
  }
  return made;
}

/** Gives folders that came back without these permissions exactly what they had, once their files are in place. */
export async function restrictFolders(
  { fs, folder, modes }: FolderContext,
  steps: readonly { readonly path: string; readonly from?: unknown }[],
): Promise<void> {
  for (const parent of new Set(steps.flatMap(({ path, from }) => (from ? [] : parentsOf(path))))) {
    const mode = modes.ofFolder(parent);
    if (mode !== undefined && (mode & OWNER_WRITES) !== OWNER_WRITES) await fs.chmod(join(folder, parent), mode);
  }
}

/** What the owner of a folder needs to put files into it. */
const OWNER_WRITES = 0o300;

/** Removes the folders above a path that are empty now, as git does, up to the one that stays. */
export async function pruneParents(fs: EditorFileSystem, folder: string, path: string, kept = ''): Promise<void> {
  for (const parent of parentsOf(path).reverse()) {
    if (parent === kept || kept.startsWith(`${parent}/`)) return;
    try {
      await fs.rmdir(join(folder, parent));
    } catch {
      return; // not empty
    }
  }
}
