import type { Clock, Log } from '@moorage/host';
import type { FleetStore } from '../store/fleet-store.js';

/** For how many days the fleet keeps what nobody needs in order to read a session. */
export interface Retention {
  /** Sessions that were disposed. */
  readonly disposedDays: number;
  /** The log from before the newest snapshot: what happened, and by whom. */
  readonly logDays: number;
}

export interface RetainingOptions {
  readonly store: FleetStore;
  readonly retention: Retention;
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes what is too old, now and every hour. Of several gateways one does it. */
export function startRetaining({ store, retention, clock, log }: RetainingOptions): { stop(): void } {
  let timer: unknown;
  let isStopped = false;
  const run = async () => {
    const now = clock.now();
    const limits = {
      disposedBefore: now - retention.disposedDays * DAY_MS,
      loggedBefore: now - retention.logDays * DAY_MS,
    };
    try {
      const { sessions, logEntries } = await store.retain(limits);
      if (sessions > 0 || logEntries > 0)
        log.write('info', 'fleet.retained', 'what was kept long enough is deleted', { sessions, logEntries });
    } catch (error) {
      log.write('warn', 'fleet.not-retained', 'what was kept long enough could not be deleted; trying again later', {
        error: String(error),
      });
    }
    if (!isStopped) timer = clock.setTimeout(() => void run(), HOUR_MS);
  };
  void run();
  return {
    stop: () => {
      isStopped = true;
      clock.clearTimeout(timer);
    },
  };
}
