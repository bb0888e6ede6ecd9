import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLock, FolderLockedError } from '../../ports/folder-lock.js';
import { openDatabase } from '../shared/sqlite.js';

/**
 * Makes sure that only one process uses a data folder, which must exist. The lock is SQLite's file lock on an empty
 * database. The system releases it however the process dies, so there are no stale locks and no races to take one over.
 */
export function lockFolder(folder: string): FolderLock {
  const pidFile = join(folder, 'host.pid');
  const database = open(folder);
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

function open(folder: string): ReturnType<typeof openDatabase> {
  try {
    return openDatabase(join(folder, 'host.lock'));
  } catch (cause) {
    throw new Error(`${folder} cannot be locked: it must be a folder that this process may write to`, { cause });
  }
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
