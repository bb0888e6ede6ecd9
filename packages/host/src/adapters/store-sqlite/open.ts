import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../../ports/log.js';
import type { StoreWithFeed } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import { isNew, requireWhole } from './check.js';
import { createTransaction } from './commit.js';
import { type ConnectionOptions, connect } from './connection.js';
import { toStoreError } from './errors.js';
import { formatOf, NEWEST_FORMAT, requireKnownFormat } from './format.js';
import { invalidateResumption } from './invalidate-resumption.js';
import { migrate } from './migrate.js';
import { createStore } from './store.js';
import { keepTornLog } from './torn-log.js';
import { currentBoot, endedWithMachine, markOpen } from './unclean-end.js';

export interface SqliteStoreOptions extends ConnectionOptions {
  /** Created, with its folder, if it does not exist. */
  readonly file: string;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
  /** Files of up to this many bytes are checked completely before use, so that damage is reported at once. Default: 0. */
  readonly checkUpTo?: number;
  /** Names the current boot of the machine; undefined where that is not known. Default: what Linux says. */
  readonly boot?: () => string | undefined;
}

/**
 * A store in one SQLite file. Opening checks the header, the schema, and the tables and columns that the statements use. It
 * reads the whole file only if that is small (`checkUpTo`), because a start must not take longer the larger the store is.
 * Other damage is reported by the call that comes across it.
 */
export function openSqliteStore(options: SqliteStoreOptions): StoreWithFeed {
  const { file, log, checkUpTo = 0, boot = currentBoot, synchronous = 'normal' } = options;
  const path = resolve(file);
  try {
    const isTorn = keepTornLog(path, log);
    const database = connect(path, { ...options, synchronous: 'full' }); // until the store is marked as open
    return prepareStore(database, { file: path, log, checkUpTo, isTorn, boot: boot(), synchronous });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Checks all of a store that no host is using, whichever version wrote it. Throws for damage, and changes nothing. */
export function checkSqliteStore(file: string): void {
  const path = resolve(file);
  try {
    const database = connect(path, {});
    try {
      requireKnownFormat(database, path);
      if (isNew(database)) return;
      requireWhole(database, path);
      if (formatOf(database) !== NEWEST_FORMAT) return; // the statements are for the tables of today
      createStore(database, { file: path, transaction: createTransaction(database) }); // finds what its statements need
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}

interface Preparation {
  readonly file: string;
  readonly log: Log | undefined;
  readonly checkUpTo: number;
  readonly isTorn: boolean;
  readonly boot: string | undefined;
  readonly synchronous: 'normal' | 'full';
}

function prepareStore(database: Database, preparation: Preparation): StoreWithFeed {
  const { file, log, checkUpTo, isTorn, boot, synchronous } = preparation;
  try {
    const transaction = createTransaction(database);
    requireKnownFormat(database, file);
    // Before the migration, which would carry damage over.
    if (statSync(file).size <= checkUpTo && !isNew(database)) requireWhole(database, file);
    migrate(database, { file, transaction, log });
    const isCutOff = endedWithMachine(database, boot);
    if (isCutOff) log?.write('warn', 'store.cut-off', CUT_OFF, { file });
    if (isTorn || isCutOff) transaction(() => invalidateResumption(database));
    const marking = createTransaction(database, markOpen(database, boot, synchronous));
    return createStore(database, { file, transaction: marking, log });
  } catch (error) {
    database.close();
    throw error;
  }
}

const CUT_OFF =
  'the machine stopped before the host: the last actions may be missing, so clients get snapshots instead of a replay';
