import type { Clock } from '../ports/clock.js';

/**
 * A clock whose callbacks report errors to `onError`: an error thrown from a timer would end the process, and every
 * session with it.
 */
export function guardedClock(clock: Clock, onError: (error: unknown) => void): Clock {
  const guarded = (run: () => void) => () => {
    try {
      run();
    } catch (error) {
      onError(error);
    }
  };
  return {
    now: () => clock.now(),
    setTimeout: (run, milliseconds) => clock.setTimeout(guarded(run), milliseconds),
    clearTimeout: (handle) => clock.clearTimeout(handle),
    defer: (run) => clock.defer(guarded(run)),
  };
}
