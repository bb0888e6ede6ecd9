import type { Log } from '../../ports/log.js';
import type { Database } from '../shared/sqlite.js';
import type { Transaction } from './commit.js';
import { formatOf, requireKnownFormat } from './format.js';
import { type Migration, migrations } from './migrations/index.js';
import { keepCopy } from './older-format/keep-copy.js';

/** Migrates a file to the newest version, one transaction per step, and keeps a copy of it as it was. Throws for a file of a later version. */
export function migrate(database: Database, { file, transaction, log, steps = migrations }: MigrateOptions): void {
  requireKnownFormat(database, file, steps);
  const found = formatOf(database);
  const newest = steps.at(-1)?.version ?? 0;
  if (found === newest) return;
  if (found > 0) keepCopy(database, file, copySuffix(found), log);
  for (const { version, up } of steps) {
    transaction(() => {
      if (formatOf(database) >= version) return; // checked under the lock: another process may have done it
      up(database, log);
      database.exec(`PRAGMA user_version = ${version}`);
    });
  }
  log?.write('info', 'store.migrated', 'the store was migrated to a newer format', { file, from: found, to: newest });
}

/** The end of the copy's name: the format of the store, of which those before 3 had version 0.4 of the protocol. */
function copySuffix(format: number): string {
  return format < 3 ? 'before-1.0' : `format-${format}`;
}

export interface MigrateOptions {
  readonly file: string;
  readonly transaction: Transaction;
  readonly log?: Log | undefined;
  readonly steps?: readonly Migration[];
}
