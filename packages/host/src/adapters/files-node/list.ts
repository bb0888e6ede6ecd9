import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileScope, FilesError, type FolderEntry } from '../../ports/files.js';
import { expectAllowed, openFolder, withEntry } from './entries.js';
import { MAX_LIST_ENTRIES } from './limits.js';
import { locate } from './locate.js';
import { isSystemError } from './system-errors.js';

export async function list(path: string, scope: FileScope): Promise<FolderEntry[]> {
  const { real, missing } = await locate(path);
  expectAllowed(scope, 'read', real);
  if (missing.length > 0) throw new FilesError('notFound', `${path} does not exist.`);
  return withEntry(real, 'read', scope, async (entry) => {
    const folder = await openFolder(entry.path).catch((error: unknown) => {
      if (isSystemError(error, 'ENOTDIR', 'ELOOP')) throw new FilesError('notFolder', `${real} is not a folder.`);
      throw error;
    });
    try {
      return await entriesOf(folder.path, real);
    } finally {
      await folder.close();
    }
  });
}

async function entriesOf(path: string, real: string): Promise<FolderEntry[]> {
  const found = await readdir(path, { withFileTypes: true });
  if (found.length > MAX_LIST_ENTRIES) {
    throw new FilesError('tooLarge', `${real} has ${found.length} entries, the limit is ${MAX_LIST_ENTRIES}.`);
  }
  const entries: FolderEntry[] = [];
  for (const entry of found) {
    if (entry.name.includes(REPLACEMENT_CHARACTER)) continue; // no URI can name it
    const target = entry.isSymbolicLink() ? await stat(join(path, entry.name)).catch(() => undefined) : entry;
    if (target?.isDirectory()) entries.push({ name: entry.name, type: 'directory' });
    else if (target?.isFile()) entries.push({ name: entry.name, type: 'file' });
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Node puts it in place of bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd';
