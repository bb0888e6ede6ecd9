import type { Log } from '../../ports/log.js';
import { StoreError } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import { type Migration, migrations } from './migrations/index.js';
import type { Transaction } from './transaction.js';

/** Migrates a file to the newest version, one transaction per step. Throws for a file of a later version. */
export function migrate(database: Database, { file, transaction, log, steps = migrations }: MigrateOptions): void {
  const version = database.prepare<{ user_version: number }>('PRAGMA user_version');
  const current = () => version.get()?.user_version ?? 0;
  const newest = steps.at(-1)?.version ?? 0;
  const found = current();
  if (found > newest) throw tooNew(file, found, newest);
  if (found === newest) return;
  for (const step of steps) {
    transaction(() => {
      if (current() >= step.version) return; // checked under the lock: another process may have done it
      step.up(database);
      database.exec(`PRAGMA user_version = ${step.version}`);
    });
  }
  log?.write('info', 'store migrated', { file, from: found, to: newest });
}

export interface MigrateOptions {
  readonly file: string;
  readonly transaction: Transaction;
  readonly log?: Log | undefined;
  readonly steps?: readonly Migration[];
}

function tooNew(file: string, found: number, newest: number): StoreError {
  const versions = `has format ${found}, and this moorage knows formats up to ${newest}`;
  return new StoreError(
    'broken',
    `The store ${file} ${versions}: a newer moorage wrote it. Upgrade moorage to use it.`,
  );
}
