import { createRequire } from 'node:module';

/** SQLite by hand, with the settings that the store has. */
export function openBare(file) {
  const { DatabaseSync } =
    process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192');
  return database;
}

export function createBareLog(database) {
  database.exec('CREATE TABLE log (channel INTEGER, first_seq INTEGER, last_seq INTEGER, envelopes TEXT)');
  database.exec('CREATE INDEX by_channel ON log (channel, first_seq)');
}
