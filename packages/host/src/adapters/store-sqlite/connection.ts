import { chmodSync, closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../ports/store.js';
import { type Database, openDatabase } from '../shared/sqlite.js';

export interface ConnectionOptions {
  /**
   * With `normal`, commits survive a crash of the process; with `full`, also one of the machine, for one flush of the disk
   * per commit. Default: normal.
   */
  readonly synchronous?: 'normal' | 'full';
  /**
   * How long a call waits for another process's lock. The whole host is blocked meanwhile, so the default is 50, the longest
   * time that a host may block.
   */
  readonly busyTimeoutMs?: number;
}

/** 'moorage' in ASCII. In a file's header, it distinguishes stores of moorage from other SQLite files. */
export const APPLICATION_ID = 0x61687064;

/** Opens the file, or creates it. Throws for a file that is not a store of moorage, and leaves it unchanged. */
export function connect(file: string, { synchronous = 'normal', busyTimeoutMs = 50 }: ConnectionOptions): Database {
  createPrivately(file);
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    requireOurs(database, file);
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${synchronous};
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
    `);
    requireWritable(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Enough to list 10,000 sessions without reading a page twice. SQLite allocates it only as needed. */
const CACHE_KIB = 8192;

/**
 * SQLite's default: the commit that fills the log to 4 MiB also copies it into the database, which blocks for about 5 ms
 * once per some thousand actions. Fewer, larger checkpoints would block longer. With checkpoints in a worker thread, the
 * log would never start over under load, and grow without bound.
 */
const CHECKPOINT_PAGES = 1000;

/** Shrinks the log file after one huge commit. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** Only this user may read the file, since sessions contain prompts and code. SQLite gives its other files the same mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openSync(file, 'a', 0o600);
  const isOpenToOthers = (fstatSync(handle).mode & 0o077) !== 0;
  closeSync(handle);
  if (isOpenToOthers) chmodSync(file, 0o600);
}

function requireOurs(database: Database, file: string): void {
  const header = database.prepare<{ application_id: number }>('PRAGMA application_id').get();
  if (header?.application_id === APPLICATION_ID) return;
  const schema = database.prepare<{ tables: number }>('SELECT count(*) AS tables FROM sqlite_schema').get();
  if (schema?.tables === 0) return;
  throw new StoreError(
    'broken',
    `The file ${file} is a SQLite database, but not a store of moorage. Choose another path.`,
  );
}

/** Throws now rather than at the first action. */
function requireWritable(database: Database): void {
  database.exec('BEGIN IMMEDIATE; ROLLBACK');
}
