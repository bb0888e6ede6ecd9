import type { Migration } from './database/migrate.js';
import { GATEWAY_AUDIT, REGISTRY, ROLES, SIGN_INS } from './registry/tables.js';
import { BLOBS, FILES, KEEPING, LEASES } from './store/tables.js';

/** All that a fleet has in its database, in the order in which it came. */
export const FLEET_TABLES: readonly Migration[] = [
  REGISTRY,
  KEEPING,
  BLOBS,
  ROLES,
  GATEWAY_AUDIT,
  SIGN_INS,
  FILES,
  LEASES,
];
