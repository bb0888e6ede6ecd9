import type { Database } from '../../shared/sqlite.js';

/** Ends the feed, if there is one: the next starts over, with ticks above all that were used. */
export function endFeed(database: Database): void {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'feed'").get()) return; // a store of an older format
  database.exec(`UPDATE feed SET name = NULL, last = ${LAST_TICK} WHERE name IS NOT NULL`);
}

/** The newest tick of the feed. The row itself is written only when what shows it is deleted. */
export const LAST_TICK = `max(
  (SELECT last FROM feed),
  coalesce((SELECT max(tick) FROM feed_changes), 0),
  coalesce((SELECT tick FROM log ORDER BY id DESC LIMIT 1), 0)
)`;
