import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { FilesError } from '../../ports/files.js';
import { isSystemError } from './system-errors.js';

/** Where a path leads now. It can lead elsewhere a moment later, so callers check again once the folder is open. */
export interface Location {
  /** The real path, including the names that do not exist yet. */
  readonly real: string;
  /** The names at its end that do not exist yet. */
  readonly missing: readonly string[];
}

/** Follows every symbolic link of a path, including one at its end. */
export async function locate(path: string): Promise<Location> {
  let existing = absolutePath(path);
  const missing: string[] = [];
  for (;;) {
    try {
      return { real: join(await realpath(existing), ...missing), missing };
    } catch (error) {
      if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) throw error;
      await expectNoLink(existing);
    }
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
}

/** Follows the links above the last name, but not the last name itself if it is a link. */
export async function locateEntry(path: string): Promise<Location> {
  const absolute = absolutePath(path);
  const { real, missing } = await locate(dirname(absolute));
  return { real: join(real, basename(absolute)), missing };
}

/** Writing through a dangling link would create a file at a place that was never checked. */
async function expectNoLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) {
    throw new FilesError('badLink', `${path} is a symbolic link that leads nowhere.`);
  }
}

function absolutePath(path: string): string {
  if (path.includes('\0')) throw new FilesError('badPath', 'A path cannot contain a NUL character.');
  if (!isAbsolute(path)) throw new FilesError('badPath', `${path} is not an absolute path.`);
  return resolve(path);
}
