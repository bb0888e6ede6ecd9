export { copySqliteStore } from './copy.js';
export { openDamagedStore } from './damaged/open.js';
export { openSqliteStore, type SqliteStoreOptions } from './open.js';
