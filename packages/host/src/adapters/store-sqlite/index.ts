export { openSqliteStore, type SqliteStoreOptions } from './open.js';
