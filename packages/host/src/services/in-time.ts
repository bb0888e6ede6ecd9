import type { Clock } from '../ports/clock.js';

/**
 * Resolves with the value, or with undefined if the work fails, takes too long or `signal` aborts. The work itself goes
 * on.
 */
export function inTime<T>(
  work: Promise<T>,
  milliseconds: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const stop = () => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(undefined);
    };
    const timer = clock.setTimeout(stop, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    work.then((value) => {
      resolve(value);
      stop();
    }, stop);
  });
}
