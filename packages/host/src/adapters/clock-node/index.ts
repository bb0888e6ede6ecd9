import type { Clock } from '../../ports/clock.js';

/** The machine's clock. Its timers never keep the process alive: what must finish is waited for by name. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds).unref(),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  defer: (run) => setImmediate(run),
};
