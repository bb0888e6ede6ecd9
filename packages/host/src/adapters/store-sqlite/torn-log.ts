import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import type { Log } from '../../ports/log.js';
import { readWal } from './wal.js';

/**
 * SQLite silently ignores its write-ahead log from the first frame with a wrong checksum on, and soon overwrites it. That is
 * right after a power cut, which leaves half a commit at the end; but it may also be damage, and then commits are lost. So
 * this keeps a copy of such a log and logs a warning. Returns whether it did.
 */
export function keepTornLog(file: string, log: Log | undefined): boolean {
  const wal = `${file}-wal`;
  if (!existsSync(wal) || statSync(wal).size === 0 || statSync(wal).size > MAX_READ_BYTES) return false;
  const unread = readWal(readFileSync(wal)).unreadBytes;
  if (unread === 0) return false;
  const kept = `${wal}.torn`;
  if (!existsSync(kept)) copyFileSync(wal, kept); // the oldest copy is closest to the damage
  const message = "the end of the store's log cannot be read: the last actions before the host ended may be missing";
  log?.write('warn', 'store.log-torn', message, { file: wal, bytes: unread, kept });
  return true;
}

/** SQLite cuts its log to 16 MiB whenever it starts over. A larger one has a huge commit in it, and is not checked. */
const MAX_READ_BYTES = 17 * 1024 * 1024;
