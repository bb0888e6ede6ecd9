import type { Log } from '../../ports/log.js';
import type { Database } from '../shared/sqlite.js';
import { formatOf, requireKnownFormat } from './format.js';
import { type Migration, migrations } from './migrations/index.js';
import { keepCopy } from './older-format/keep-copy.js';
import type { Transaction } from './transaction.js';

/** Migrates a file to the newest version, one transaction per step. Throws for a file of a later version. */
export function migrate(database: Database, { file, transaction, log, steps = migrations }: MigrateOptions): void {
  requireKnownFormat(database, file, steps);
  const found = formatOf(database);
  const newest = steps.at(-1)?.version ?? 0;
  if (found === newest) return;
  for (const { version, copySuffix, up } of steps) {
    if (found > 0 && found < version && copySuffix !== undefined) keepCopy(database, file, copySuffix, log);
    transaction(() => {
      if (formatOf(database) >= version) return; // checked under the lock: another process may have done it
      up(database, log);
      database.exec(`PRAGMA user_version = ${version}`);
    });
  }
  log?.write('info', 'store.migrated', 'the store was migrated to a newer format', { file, from: found, to: newest });
}

export interface MigrateOptions {
  readonly file: string;
  readonly transaction: Transaction;
  readonly log?: Log | undefined;
  readonly steps?: readonly Migration[];
}
