import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../../ports/log.js';
import type { Store } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import { requireWhole } from './check.js';
import { type ConnectionOptions, connect } from './connection.js';
import { toStoreError } from './errors.js';
import { letNobodyResume } from './let-nobody-resume.js';
import { migrate } from './migrate.js';
import { createStore } from './store.js';
import { keepTornLog } from './torn-log.js';
import { createTransaction } from './transaction.js';

/** Where a store lies on disk, and how it is opened. */
export interface SqliteStoreOptions extends ConnectionOptions {
  /** Created with its folder when it does not exist. */
  readonly file: string;
  readonly log?: Log;
  /** Bytes up to which the file is looked at as a whole before it is used, so that damage is told at once. Default: 0. */
  readonly checkUpTo?: number;
}

/**
 * A store in one SQLite file. Opening looks at the header and the schema, and preparing the statements checks every
 * table and column they use; the whole file is read only when it is small (`checkUpTo`), since each start would else be
 * as slow as the store is big. Damage further inside is reported by the call that meets it.
 */
export function openSqliteStore({ file, log, checkUpTo = 0, ...options }: SqliteStoreOptions): Store {
  const path = resolve(file);
  try {
    const isTorn = keepTornLog(path, log);
    return prepareStore(connect(path, options), { file: path, log, checkUpTo, isTorn });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

interface Preparation {
  readonly file: string;
  readonly log: Log | undefined;
  readonly checkUpTo: number;
  readonly isTorn: boolean;
}

function prepareStore(database: Database, { file, log, checkUpTo, isTorn }: Preparation): Store {
  try {
    const transaction = createTransaction(database);
    migrate(database, { file, transaction, log });
    if (statSync(file).size <= checkUpTo) requireWhole(database, file);
    if (isTorn) transaction(() => letNobodyResume(database));
    return createStore(database, { file, transaction, log });
  } catch (error) {
    database.close();
    throw error;
  }
}
