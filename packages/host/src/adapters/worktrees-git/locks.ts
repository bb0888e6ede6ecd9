import { setTimeout as wait } from 'node:timers/promises';
import { LOCKED_RETRY_MS, MAX_LOCKED_ATTEMPTS } from './limits.js';

interface LockedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs after each attempt that failed because of a lock. */
  readonly afterwards?: () => Promise<void>;
}

/** Repeats a command for as long as another git process holds a lock that it needs. */
export async function untilUnlocked<T>(
  command: () => Promise<T>,
  { signal, afterwards = async () => undefined }: LockedOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await command();
    } catch (error) {
      if (attempt === MAX_LOCKED_ATTEMPTS || signal?.aborted || !isLocked(error)) throw error;
    }
    await afterwards();
    await wait(LOCKED_RETRY_MS, undefined, { signal });
  }
}

/** Also when the folder for work trees vanished just now: git removes it with the last one. */
function isLocked(error: unknown): boolean {
  return /\.lock'?: File exists|could not lock|could not create directory of/i.test(String(error));
}
