import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import type { Log } from '../../ports/log.js';
import { readWal } from './wal.js';

/**
 * SQLite passes over the end of its write-ahead log from the first frame whose checksum is wrong, and soon writes over it,
 * without a word. That is right after a power cut, where it is the torn end of a commit; but it may be damage, and then
 * commits are gone. So the log is kept as it was found, and the operator told. True when that was so.
 */
export function keepTornLog(file: string, log: Log | undefined): boolean {
  const wal = `${file}-wal`;
  if (!existsSync(wal) || statSync(wal).size === 0 || statSync(wal).size > MAX_READ_BYTES) return false;
  const unread = readWal(readFileSync(wal)).unreadBytes;
  if (unread === 0) return false;
  const kept = `${wal}.torn`;
  if (!existsSync(kept)) copyFileSync(wal, kept); // the first one is nearest to what happened
  const message =
    'the end of the log of the store cannot be read: what was said last before the host ended may be missing';
  log?.write('warn', message, { file: wal, bytes: unread, kept });
  return true;
}

/** A log is cut to 16 MiB whenever it starts over; a larger one holds a huge commit, and is not read twice. */
const MAX_READ_BYTES = 17 * 1024 * 1024;
