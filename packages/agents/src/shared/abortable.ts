import { setImmediate } from 'node:timers/promises';

export type Awaitable<T> = T | Promise<T>;

/** The value, or a rejection as soon as the signal aborts: nobody waits for an answer that is no longer wanted. */
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

/** Lets everybody else run, among them whoever wants to cancel. */
export async function giveWay(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
