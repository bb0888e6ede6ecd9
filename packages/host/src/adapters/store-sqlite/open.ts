import { resolve } from 'node:path';
import type { Log } from '../../ports/log.js';
import type { Store } from '../../ports/store.js';
import { type ConnectionOptions, connect } from './connection.js';
import { toStoreError } from './errors.js';
import { migrate } from './migrate.js';
import type { Database } from './sqlite.js';
import { createStore } from './store.js';
import { createTransaction } from './transaction.js';

export interface SqliteStoreOptions extends ConnectionOptions {
  /** Created with its folder when it does not exist. */
  readonly file: string;
  readonly log?: Log;
}

/**
 * A store in one SQLite file. Opening looks at the header and the schema, and preparing the statements checks every
 * table and column they use; it does not run `quick_check`, which reads the whole file and would make each start as
 * slow as the store is big. Damage further inside is reported by the call that meets it.
 */
export function openSqliteStore({ file, log, ...options }: SqliteStoreOptions): Store {
  const path = resolve(file);
  try {
    return prepareStore(connect(path, options), path, log);
  } catch (error) {
    throw toStoreError(error, path);
  }
}

function prepareStore(database: Database, file: string, log: Log | undefined): Store {
  try {
    const transaction = createTransaction(database);
    migrate(database, { file, transaction, log });
    return createStore(database, { file, transaction, log });
  } catch (error) {
    database.close();
    throw error;
  }
}
