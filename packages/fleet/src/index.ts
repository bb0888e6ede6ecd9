export { connectNatsBus, type NatsBusOptions } from './bus-nats/index.js';
export type { Database, Queries, Value } from './database/database.js';
export { type Migration, migrate } from './database/migrate.js';
export { openPostgres, type PostgresOptions } from './database/postgres.js';
