import type { Migration } from './index.js';

/**
 * The feed is a cursor over the log: its rows carry the number of their tick, and nothing is copied. `feed_changes` names
 * what else changed, by its newest tick; the values are read where they are. Empty until a fleet asks.
 */
export const feed: Migration = {
  version: 5,
  up: (database) =>
    database.exec(`
      ALTER TABLE log ADD COLUMN tick INTEGER;

      CREATE TABLE feed (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT,
        start INTEGER NOT NULL,
        acknowledged INTEGER NOT NULL,
        last INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE feed_changes (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        tick INTEGER NOT NULL,
        whole INTEGER NOT NULL,
        PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX feed_changes_by_tick ON feed_changes (tick);
    `),
};
