export { copySqliteStore } from './copy.js';
export { openDamagedStore } from './damaged/open.js';
export { checkSqliteStore, openSqliteStore, type SqliteStoreOptions } from './open.js';
