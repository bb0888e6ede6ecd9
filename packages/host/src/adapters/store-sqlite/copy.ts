import { closeSync, constants, copyFileSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDatabase } from '../shared/sqlite.js';
import { isNew } from './check.js';
import { connect } from './connection.js';
import { toStoreError } from './errors.js';
import { invalidateResumption } from './invalidate-resumption.js';

/**
 * Copies a store into a new file as it is at one moment, whether or not a host is using it. The store's content is not
 * touched, and a host that writes to it does not have to wait.
 */
export function copySqliteStore(file: string, into: string): void {
  const [from, to] = [resolve(file), resolve(into)];
  try {
    if (!copyAtRest(from, to)) copyInUse(from, to);
    finishCopy(to);
  } catch (error) {
    throw toStoreError(error, from);
  }
}

/**
 * A store that was closed properly has no log and can be copied as a file. Opening it with SQLite would leave an empty log
 * behind, even read-only. False when a host turned up in the meantime: every change goes through a log.
 */
function copyAtRest(from: string, to: string): boolean {
  const stateOf = () => {
    const { ino, size, mtimeNs } = statSync(from, { bigint: true });
    return existsSync(`${from}-wal`) ? undefined : `${ino} ${size} ${mtimeNs}`;
  };
  const before = stateOf();
  if (before === undefined) return false;
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  if (stateOf() === before) return true;
  rmSync(to);
  return false;
}

/** Reads within one transaction, which holds up nobody: the host's log only starts over a little later. */
function copyInUse(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600)); // SQLite fills an empty file, but would make one that others can read
  const database = openDatabase(from, { readOnly: true });
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}

/** Only a host that is starting or stopping locks readers out, and not for long. */
const BUSY_TIMEOUT_MS = 10_000;

/** Clients may see actions after the copy was made, which a host that runs on the copy does not have. */
function finishCopy(copy: string): void {
  const database = connect(copy, { synchronous: 'full' });
  try {
    if (!isNew(database)) invalidateResumption(database); // a host that is just starting has not made its tables yet
    database.exec('PRAGMA journal_mode = DELETE'); // all of it in one file, without a log beside it
  } finally {
    database.close();
  }
}
