/** The host's only source of time. Timers need not keep the process alive: what must finish is awaited elsewhere. */
export interface Clock {
  /** Milliseconds since the epoch, with or without fractions. It advances, but may be corrected, also backwards. */
  now(): number;
  /** Runs a function once, after that many milliseconds, never before they are over. Functions run in the order of their due times. */
  setTimeout(run: () => void, milliseconds: number): unknown;
  /** Cancels a timer. A handle that has run or was cleared, and undefined, are accepted and do nothing. */
  clearTimeout(handle: unknown): void;
  /** Runs a function soon: after pending promise callbacks, and after functions deferred earlier. Like `setImmediate`. */
  defer(run: () => void): void;
}
