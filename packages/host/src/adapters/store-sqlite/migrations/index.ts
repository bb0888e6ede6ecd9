import type { Log } from '../../../ports/log.js';
import type { Database } from '../../shared/sqlite.js';
import { initial } from './001-initial.js';
import { extensionKeys } from './002-extension-keys.js';
import { native10 } from './003-native-1.0.js';
import { folderHistories } from './004-folder-histories.js';
import { feed } from './005-feed.js';

/** One step from the previous version to `version`. Runs in a transaction. Must never change once released. */
export interface Migration {
  readonly version: number;
  readonly up: (database: Database, log?: Log) => void;
}

export const migrations: readonly Migration[] = [initial, extensionKeys, native10, folderHistories, feed];
