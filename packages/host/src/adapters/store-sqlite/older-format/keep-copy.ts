import { renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../../ports/log.js';
import type { Database } from '../../shared/sqlite.js';
import { copySqliteStore } from '../copy.js';

/**
 * Keeps a copy of a store that is about to get a form which earlier versions of moorage cannot read. Without room for it
 * the store is migrated all the same: a host that does not start would be worse, and a backup may exist. Either way the
 * log says so, at a level that is shown by default.
 */
export function keepCopy(
  database: Database,
  file: string,
  suffix: string,
  log: Log | undefined,
  freeBytes = freeBytesOf(dirname(file)),
): void {
  const copy = `${file}.${suffix}`;
  const needed = sizeOf(database) * COPY_AND_LOG;
  const problem = freeBytes < needed ? `the disk has less than ${megabytes(needed)} left` : copyOrProblem(file, copy);
  if (problem === undefined) log?.write('warn', 'store.copied', COPIED, { file, copy });
  else log?.write('warn', 'store.not-copied', NOT_COPIED, { file, reason: problem });
}

const COPIED =
  'the store gets a new format, which earlier versions of moorage cannot read: a copy of it as it was is kept; ' +
  'remove it when you will not go back (a `moorage backup` before an upgrade also has the rest of the data folder)';

const NOT_COPIED =
  'the store gets a new format, which earlier versions of moorage cannot read, and no copy of it as it was could be kept: ' +
  'to go back, you need a `moorage backup` of before';

/** Why there is no copy; undefined when there is one. */
function copyOrProblem(file: string, copy: string): string | undefined {
  const incomplete = `${copy}.incomplete`;
  try {
    rmSync(incomplete, { force: true });
    copySqliteStore(file, incomplete);
    renameSync(incomplete, copy); // over one of an earlier attempt: the store may have been used since
    return undefined;
  } catch (error) {
    rmSync(incomplete, { force: true });
    return error instanceof Error ? error.message : String(error);
  }
}

/** The copy, the write-ahead log of a migration that rewrites every row, and some room for what else goes on. */
const COPY_AND_LOG = 2.5;

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

function sizeOf(database: Database): number {
  const row = database.prepare<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return row.get()?.bytes ?? 0;
}
