import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileScope, FilesError } from '../../ports/files.js';
import { statEntry } from './describe.js';
import { entryOf, expectAllowed, openFolder } from './entries.js';
import { locate } from './locate.js';
import { isSystemError } from './system-errors.js';

/** Creates each missing folder through its open parent, so that none can be swapped for a link meanwhile. */
export async function makeFolder(path: string, scope: FileScope): Promise<void> {
  const { real, missing } = await locate(path);
  expectAllowed(scope, 'write', real);
  let folder = await openAt(parentOf(real, missing.length), real);
  try {
    if (missing.length === 0) expectAllowed(scope, 'write', folder.real);
    for (const name of missing) {
      const entry = entryOf(folder, name);
      expectAllowed(scope, 'write', entry.real);
      await mkdir(entry.path).catch(async (error: unknown) => {
        if (!isSystemError(error, 'EEXIST') || !(await statEntry(entry))?.isDirectory()) throw error;
      });
      const next = await openAt(entry.path, entry.real);
      await folder.close();
      folder = next;
    }
  } finally {
    await folder.close();
  }
}

async function openAt(path: string, real: string) {
  try {
    return await openFolder(path);
  } catch (error) {
    if (!isSystemError(error, 'ENOTDIR', 'ELOOP')) throw error;
    throw new FilesError('exists', `${real} cannot be created: something that is not a folder is in its place.`, {
      cause: error,
    });
  }
}

function parentOf(real: string, levels: number): string {
  return levels === 0 ? real : parentOf(dirname(real), levels - 1);
}
