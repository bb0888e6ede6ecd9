import { realpathSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isInside } from '../../paths/inside.js';
import { FolderError, type Folders } from '../../ports/folders.js';

/**
 * Folders on this machine, confined to some roots after symbolic links are resolved. A barred folder inside a root, such as
 * the host's own data, is excluded; a root inside a barred folder is not.
 */
export function nodeFolders(roots: readonly string[], barred: readonly string[] = []): Folders {
  const real = roots.map((root) => realpathSync(root));
  const realBarred = barred.map((folder) => realpathSync(folder));
  const depth = (path: string, folders: readonly string[]) =>
    Math.max(0, ...folders.filter((folder) => isInside(path, folder)).map((folder) => folder.length));
  const contains = (path: string) => depth(path, real) > 0 && depth(path, real) >= depth(path, realBarred);
  return {
    roots: real,
    contains,
    barred: realBarred,
    isBarred: (path) => depth(path, realBarred) > depth(path, real),
    defaultDirectory: real[0] === undefined ? undefined : pathToFileURL(real[0]).href,
    resolve(uri) {
      const path = realFolder(pathOf(uri));
      if (contains(path)) return path;
      throw new FolderError(
        'denied',
        `${path} is outside the folders that this host may use; start it with --root to add one`,
      );
    },
  };
}

function pathOf(uri: string): string {
  try {
    const url = new URL(uri);
    if (url.protocol === 'file:') return fileURLToPath(url);
  } catch {
    // not a URI at all
  }
  throw new FolderError('invalid', 'expected a "file:" URI of a folder');
}

function realFolder(path: string): string {
  try {
    const real = realpathSync.native(path); // asked for at every refresh of a changeset: half the time of the other
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw new FolderError('missing', `there is no folder ${path}`);
  }
  throw new FolderError('missing', `${path} is not a folder`);
}
