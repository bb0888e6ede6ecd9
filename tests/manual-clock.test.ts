import { describeClock } from '@ahpd/host/testing';
import { ManualClock } from './support/manual-clock.js';

/** Tests believe in it; so it has to be a clock as the host knows them. */
describeClock('the clock of the tests', () => {
  const clock = new ManualClock();
  return { clock, elapse: (milliseconds) => clock.advance(milliseconds) };
});
