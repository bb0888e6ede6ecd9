import { StoreError } from '../../ports/store.js';
import type { Database } from '../shared/sqlite.js';
import { migrations } from './migrations/index.js';

/** The number of a store's format: that of the last migration. 0 for a new file. */
export function formatOf(database: Database): number {
  return database.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
}

export const NEWEST_FORMAT = migrations.at(-1)?.version ?? 0;

/** Throws for a store that a later version of moorage wrote. */
export function requireKnownFormat(database: Database, file: string, steps = migrations): void {
  const found = formatOf(database);
  const newest = steps.at(-1)?.version ?? 0;
  if (found <= newest) return;
  const versions = `has format ${found}, and this moorage knows formats up to ${newest}`;
  throw new StoreError('broken', `The store ${file} ${versions}: a newer moorage wrote it. Upgrade moorage to use it.`);
}
