import { FIRST_RETRY_MS, MAX_ATTEMPTS, MAX_RETRY_AFTER_MS } from '../limits.js';
import type { ModelClock } from '../options.js';
import { ModelFailure } from './failure.js';

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly clock: ModelClock;
  /** Tells the user what we wait for. */
  notify(text: string): void;
}

/** Retries what may succeed later, with growing delays, and says so. Rejects with the last ModelFailure. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof ModelFailure) || !error.isPassing) throw error;
      if (tried >= MAX_ATTEMPTS) throw exhausted(error, tried);
      const delay = error.retryAfter ?? FIRST_RETRY_MS * 2 ** (tried - 1);
      if (delay > MAX_RETRY_AFTER_MS) throw tooLong(error, delay);
      options.notify(`${error.message} Trying again in ${seconds(delay)} (try ${tried + 1} of ${MAX_ATTEMPTS}).`);
      await wait(delay, options);
    }
  }
}

function exhausted(failure: ModelFailure, tried: number): ModelFailure {
  return again(failure, `It was tried ${tried} times. Send the message again to retry.`);
}

function tooLong(failure: ModelFailure, delay: number): ModelFailure {
  return again(failure, `It asks to wait for ${seconds(delay)}. Send the message again after that.`);
}

function again(failure: ModelFailure, advice: string): ModelFailure {
  return new ModelFailure(failure.errorType, `${failure.message} ${advice}`, { cause: failure });
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 100) / 10} s`;
}

function wait(milliseconds: number, { signal, clock }: RetryOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clock.clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = clock.setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
