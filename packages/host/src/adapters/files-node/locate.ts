import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { FilesError } from '../../ports/files.js';
import { isSystemError } from './system-errors.js';

/** Where a path leads now. It may lead elsewhere a moment later, so nothing is done on this alone. */
export interface Place {
  /** The real path, with what does not exist yet below it. */
  readonly real: string;
  /** The names at the end of it that do not exist. */
  readonly missing: readonly string[];
}

/** Follows every symbolic link of a path, also the last. */
export async function locate(path: string): Promise<Place> {
  let existing = checked(path);
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

/** Follows the links on the way, and leaves the last name as it is: it may be a link itself. */
export async function locateEntry(path: string): Promise<Place> {
  const absolute = checked(path);
  const { real, missing } = await locate(dirname(absolute));
  return { real: join(real, basename(absolute)), missing };
}

/** What cannot be followed and exists is a link that leads nowhere: what it would create nobody has checked. */
async function expectNoLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) {
    throw new FilesError('badLink', `${path} is a symbolic link that leads nowhere.`);
  }
}

function checked(path: string): string {
  if (path.includes('\0')) throw new FilesError('badPath', 'A path cannot hold a NUL character.');
  if (!isAbsolute(path)) throw new FilesError('badPath', `${path} is not an absolute path.`);
  return resolve(path);
}
