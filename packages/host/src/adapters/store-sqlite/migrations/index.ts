import type { Database } from '../../shared/sqlite.js';
import { initial } from './001-initial.js';

/** One step from the version before to `version`. Runs in a transaction; a step that was released never changes. */
export interface Migration {
  readonly version: number;
  up(database: Database): void;
}

export const migrations: readonly Migration[] = [initial];
