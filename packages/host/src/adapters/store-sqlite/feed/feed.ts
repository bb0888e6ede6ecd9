import { randomUUID } from 'node:crypto';
import { type FeedOptions, StoreError, type StoreFeed } from '../../../ports/store.js';
import type { Database } from '../../shared/sqlite.js';
import type { Transaction } from '../commit.js';
import { LAST_TICK } from './end.js';
import { createFeedReader } from './read.js';
import { type CurrentFeed, createFeedRecorder, type FeedRecorder, type FeedState } from './recorder.js';

export interface SqliteFeed {
  open(options?: FeedOptions): StoreFeed;
  readonly recorder: FeedRecorder;
  /** The tick after which log rows are still needed; undefined while nobody uses the feed. May start the feed over. */
  neededAfter(): number | undefined;
}

const MAX_KEPT_BYTES = 1024 ** 3;

export function createFeed(database: Database, transaction: Transaction): SqliteFeed {
  const selectFeed = database.prepare<FeedRow>(`SELECT name, start, acknowledged, ${LAST_TICK} AS last FROM feed`);
  const selectNeeded = database.prepare<{ acknowledged: number }>(
    'SELECT acknowledged FROM feed WHERE name IS NOT NULL',
  );
  const replaceFeed = database.prepare(`
    INSERT INTO feed (id, name, start, acknowledged, last) VALUES (1, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, start = excluded.start, acknowledged = excluded.acknowledged, last = excluded.last
  `);
  const updateAcknowledged = database.prepare('UPDATE feed SET acknowledged = ?, last = ?');
  const deleteChanges = database.prepare('DELETE FROM feed_changes WHERE tick <= ?');
  const reader = createFeedReader(database);
  const current: CurrentFeed = { state: undefined, isOff: false };
  let maxKeptBytes = MAX_KEPT_BYTES;

  const startOver = (): FeedState => {
    const start = current.state?.last ?? selectFeed.get()?.last ?? 0;
    const name = randomUUID();
    const last = transaction(() => {
      deleteChanges.run(Number.MAX_SAFE_INTEGER);
      const last = changeEverything(database, start);
      replaceFeed.run(name, start, start, last);
      return last;
    });
    return { name, start, acknowledged: start, last, unacknowledgedBytes: 0 };
  };
  const resume = (): FeedState => {
    const row = selectFeed.get();
    if (row?.name == null) return startOver();
    return { ...row, name: row.name, unacknowledgedBytes: reader.bytesAfter(row.acknowledged) };
  };
  const inUse = (): FeedState => {
    current.state ??= resume();
    current.isOff = false;
    return current.state;
  };

  return {
    recorder: createFeedRecorder(database, current),
    open: (options = {}) => {
      maxKeptBytes = options.maxKeptBytes ?? MAX_KEPT_BYTES;
      inUse();
      return {
        get id() {
          return inUse().name;
        },
        get start() {
          return inUse().start;
        },
        get last() {
          return inUse().last;
        },
        get acknowledged() {
          return inUse().acknowledged;
        },
        read: (after, maxBytes) => {
          const feed = inUse();
          requireTick(after, feed);
          return reader.read(feed, after, maxBytes);
        },
        acknowledge: (upTo) => {
          const feed = inUse();
          requireTick(upTo, feed);
          transaction(() => {
            deleteChanges.run(upTo);
            updateAcknowledged.run(upTo, feed.last);
          });
          feed.acknowledged = upTo;
        },
        restart: () => {
          current.state = startOver();
        },
      };
    },
    neededAfter: () => {
      const { state } = current;
      if (state && state.unacknowledgedBytes > maxKeptBytes) {
        state.unacknowledgedBytes = reader.bytesAfter(state.acknowledged);
        if (state.unacknowledgedBytes > maxKeptBytes) current.state = startOver();
      }
      return current.state?.acknowledged ?? selectNeeded.get()?.acknowledged;
    },
  };
}

interface FeedRow extends Omit<FeedState, 'name' | 'unacknowledgedBytes'> {
  readonly name: string | null;
}

function requireTick(tick: number, { acknowledged, last }: FeedState): void {
  if (tick >= acknowledged && tick <= last) return;
  throw new StoreError('broken', `The feed has the ticks ${acknowledged} to ${last}, not ${tick}: start it over.`);
}

/** Notes all that is stored as changed, each in a tick of its own. Returns the last of these ticks. */
function changeEverything(database: Database, start: number): number {
  let last = start;
  const each = (kind: string, key: string, from: string) => {
    const inserted = database
      .prepare(
        `INSERT INTO feed_changes (kind, key, tick, whole)
         SELECT '${kind}', ${key}, ? + row_number() OVER (ORDER BY rowid), 1 FROM ${from}`,
      )
      .run(last);
    last += Number(inserted.changes);
  };
  each('channel', 'uri', 'channels');
  each('session', 'uri', 'sessions WHERE summary IS NOT NULL');
  each('document', "collection || ' ' || key", 'documents WHERE session_id IS NOT NULL');
  return last;
}
