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

export interface SqliteStoreOptions extends ConnectionOptions {
  /** Created, with its folder, if it does not exist. */
  readonly file: string;
  readonly log?: Log;
  /** Files of up to this many bytes are checked completely before use, so that damage is reported at once. Default: 0. */
  readonly checkUpTo?: number;
}

/**
 * A store in one SQLite file. Opening checks the header, the schema, and the tables and columns that the statements use. It
 * reads the whole file only if that is small (`checkUpTo`), because a start must not take longer the larger the store is.
 * Other damage is reported by the call that comes across it.
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
