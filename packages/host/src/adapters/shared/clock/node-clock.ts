import type { Clock } from '../../../ports/clock.js';

/** The machine's clock. Its timers do not keep the process alive: whoever needs work to finish must wait for it explicitly. */
export const nodeClock: Clock = {
  now: Date.now,
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds).unref(),
  clearTimeout: clearTimeout as Clock['clearTimeout'],
  defer: setImmediate,
};
