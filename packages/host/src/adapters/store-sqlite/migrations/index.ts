import type { Database } from '../../shared/sqlite.js';
import { initial } from './001-initial.js';
import { extensionKeys } from './002-extension-keys.js';

/** One step from the previous version to `version`. Runs in a transaction. Must never change once released. */
export interface Migration {
  readonly version: number;
  up(database: Database): void;
}

export const migrations: readonly Migration[] = [initial, extensionKeys];
