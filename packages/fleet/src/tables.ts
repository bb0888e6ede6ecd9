import type { Migration } from './database/migrate.js';
import { REGISTRY } from './registry/tables.js';
import { BLOBS, FILES, KEEPING } from './store/tables.js';

/** All that a fleet has in its database, in the order in which it came. */
export const FLEET_TABLES: readonly Migration[] = [REGISTRY, KEEPING, BLOBS, FILES];
