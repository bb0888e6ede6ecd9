import { setImmediate } from 'node:timers/promises';

export type Awaitable<T> = T | Promise<T>;

/** Waits for a value, or rejects as soon as the signal aborts. */
export function abortable<T>(signal: AbortSignal, value: Awaitable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

/** Lets other tasks run, among them one that may cancel. */
export async function giveWay(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
