import type { Database } from '../shared/sqlite.js';
import { endFeed } from './feed/end.js';

/**
 * For a store that lacks actions which clients may have seen: it is a copy, or the end of its log is lost. The host counts on
 * above their numbers, and replays nothing from before: a client that reconnects gets snapshots. A feed starts over.
 */
export function invalidateResumption(database: Database): void {
  database.exec(`UPDATE host SET seq_ceiling = seq_ceiling + ${SKIPPED_NUMBERS}`);
  database.exec('UPDATE channels SET replayable_after = (SELECT seq_ceiling FROM host)');
  endFeed(database);
}

/** Far more numbers than a log holds actions. */
const SKIPPED_NUMBERS = 1_000_000;
