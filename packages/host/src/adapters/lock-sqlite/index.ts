import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FolderLock, FolderLockedError } from '../../ports/folder-lock.js';
import { openDatabase } from '../shared/sqlite.js';

/**
 * Makes sure that one process at a time uses a data folder. The lock is SQLite's own on an empty database, which the
 * system drops with the process however it dies: there is nothing stale to clean up and no race to take it over.
 */
export function lockFolder(folder: string): FolderLock {
  makeUsable(folder);
  const pidFile = join(folder, 'host.pid');
  const database = openDatabase(join(folder, 'host.lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!/lock|busy/i.test(String(error))) throw error;
    throw new FolderLockedError(
      `${folder} is in use by another host${holder(pidFile)}; stop it, or use another --data-dir`,
    );
  }
  let isHeld = true;
  const release = () => {
    if (isHeld) database.close();
    isHeld = false;
  };
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

/** SQLite would only say that it cannot open a file. */
function makeUsable(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = REASONS[code ?? ''] ?? String(code);
    throw new Error(`${folder} cannot be used: ${why}; change that, or use another --data-dir`, { cause });
  }
}

/** Not `recursive`: where the system answers ENOENT however many parents there are, as in /proc, Node tries for ever. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(folder)) throw error; // another host that starts may have been faster
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only',
  EACCES: 'you may not write to it',
  EPERM: 'you may not write to it',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'it, or something above it, is a file',
  EEXIST: 'it, or something above it, is a file',
  ENOENT: 'no folder can be made there',
};

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
