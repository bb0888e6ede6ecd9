import { silentLog } from '@moorage/host';
import { expect, it } from 'vitest';
import { startRetaining } from '../../packages/fleet/src/gateway/retention.js';
import type { FleetStore } from '../../packages/fleet/src/store/fleet-store.js';
import { ManualClock } from '../support/manual-clock.js';

const DAY_MS = 86_400_000;

it('deletes what is too old, now and every hour, also after a failure, until it is stopped', async () => {
  const clock = new ManualClock();
  const asked: object[] = [];
  const retain: FleetStore['retain'] = async ({ disposedBefore, loggedBefore }) => {
    asked.push({ disposed: clock.now() - disposedBefore, logged: clock.now() - loggedBefore });
    if (asked.length === 1) throw new Error('the database is down');
    return { sessions: 0, logEntries: 0 };
  };
  const store = { retain } as FleetStore;
  const retaining = startRetaining({ store, retention: { disposedDays: 30, logDays: 7 }, clock, log: silentLog });
  const limits = { disposed: 30 * DAY_MS, logged: 7 * DAY_MS };
  await clock.advance(0);
  expect(asked).toEqual([limits]);
  await clock.advance(3_600_000);
  expect(asked).toEqual([limits, limits]);
  retaining.stop();
  await clock.advance(3_600_000);
  expect(asked).toHaveLength(2);
});
