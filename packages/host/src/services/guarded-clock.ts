import type { Clock } from '../ports/clock.js';

/** A clock on which work that fails is told and ends there: thrown out of a timer, it would end the process and every session. */
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
