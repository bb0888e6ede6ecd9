import type { StoreBatch } from '../../../ports/store.js';
import type { Database } from '../../shared/sqlite.js';
import { endFeed, LAST_TICK } from './end.js';

/** What the feed adds to each commit. */
export interface FeedRecorder {
  /** Whether nobody uses the feed and nothing is left of it, so that a commit needs neither of the next two. */
  readonly current: Pick<CurrentFeed, 'isOff'>;
  /** Undefined while nobody uses the feed, and for a batch without anything for it. Called inside the transaction. */
  record(batch: StoreBatch): RecordedTick | undefined;
  /** The transaction is committed. */
  committed(tick: RecordedTick | undefined): void;
  /** Keeps the number of the newest tick, before rows that show it are deleted. Called inside a transaction. */
  keepLast(): void;
}

export interface RecordedTick {
  readonly number: number;
  /** Ids of log rows rise even if the newest rows were deleted: the feed searches by them. */
  nextRow(): number;
}

/** The feed while it is in use, as memory knows it. */
export interface FeedState {
  name: string;
  start: number;
  acknowledged: number;
  last: number;
  /** At most this many bytes of log are not acknowledged. */
  unacknowledgedBytes: number;
}

/** Shared by what records and what reads. */
export interface CurrentFeed {
  /** Undefined while nobody uses the feed. */
  state: FeedState | undefined;
  /** Nobody has used it since the last commit. */
  isOff: boolean;
}

export type ChangeKind = 'channel' | 'session' | 'document';

export function createFeedRecorder(database: Database, current: CurrentFeed): FeedRecorder {
  const change = database.prepare(`
    INSERT INTO feed_changes (kind, key, tick, whole) VALUES (?, ?, ?, 0)
    ON CONFLICT (kind, key) DO UPDATE SET tick = excluded.tick
  `);
  const selectLastRow = database.prepare<{ id: number | null }>('SELECT max(id) AS id FROM log');
  const updateLast = database.prepare(`UPDATE feed SET last = ${LAST_TICK}`);
  let lastRow: number | undefined;
  let bytes = 0;

  return {
    current,
    record: (batch) => {
      const feed = current.state;
      if (!feed) {
        endFeed(database); // it would not have what is committed now
        return undefined;
      }
      const { channels = [], log = [], summaries = [], disposals = [], documents = [] } = batch;
      const number = feed.last + 1;
      const changes = new Set<string>();
      const note = (kind: ChangeKind, key: string) => {
        if (changes.has(`${kind} ${key}`)) return;
        changes.add(`${kind} ${key}`);
        change.run(kind, key, number);
      };
      for (const { uri, snapshot, removed } of channels) if (snapshot || removed) note('channel', uri);
      for (const { session } of summaries) note('session', session);
      for (const { session } of disposals) note('session', session);
      for (const { collection, key, session, json } of documents) {
        if (session !== undefined || json === undefined) note('document', documentKey(collection, key));
      }
      if (changes.size === 0 && log.length === 0) return undefined;
      bytes = log.reduce((sum, { envelopes }) => sum + envelopes.length, 0);
      lastRow ??= selectLastRow.get()?.id ?? 0;
      return {
        number,
        nextRow: () => {
          lastRow = (lastRow ?? 0) + 1;
          return lastRow;
        },
      };
    },
    committed: (tick) => {
      const feed = current.state;
      current.isOff = !feed;
      if (!feed || !tick) return;
      feed.last = tick.number;
      feed.unacknowledgedBytes += bytes;
    },
    keepLast: () => void updateLast.run(),
  };
}

function documentKey(collection: string, key: string): string {
  return `${collection} ${key}`; // the names of collections are single words
}
