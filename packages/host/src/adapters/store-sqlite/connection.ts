import { chmodSync, closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../ports/store.js';
import { type Database, openDatabase } from '../shared/sqlite.js';

export interface ConnectionOptions {
  /**
   * `normal` keeps every commit when the process dies; `full` also when the machine does, for about 0.2 ms more per
   * commit. Default: normal.
   */
  readonly synchronous?: 'normal' | 'full';
  /**
   * How long a call waits for another process's lock. The whole host stands still meanwhile, hence the default: 50,
   * the longest time that a host may block.
   */
  readonly busyTimeoutMs?: number;
}

/** 'ahpd' in ASCII, in the file's header: tells our files from other SQLite files. */
export const APPLICATION_ID = 0x61687064;

/** Opens the file, creating it if need be, and leaves files that are not ours exactly as they are. */
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

/** Enough to list 10,000 sessions without reading a page twice; SQLite takes it only as it is needed. */
const CACHE_KIB = 8192;

/**
 * After 4 MiB of log the commit that got there also copies it into the database: a stall of about 5 ms, once per
 * some thousand actions. A checkpoint from a worker thread would hide it, but under load the log would then never start
 * over and grow without bound; fewer, larger checkpoints stall longer. So SQLite's own way, with its own size.
 */
const CHECKPOINT_PAGES = 1000;

/** One huge commit must not leave a huge log file behind. */
const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** Sessions hold prompts and code: nobody but this user may read them. SQLite gives its other files the same mode. */
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
    `The file ${file} is a SQLite database, but not a store of ahpd. Choose another path.`,
  );
}

/** A host that cannot commit is of no use: better to say so now than at the first action. */
function requireWritable(database: Database): void {
  database.exec('BEGIN IMMEDIATE; ROLLBACK');
}
