/** Time, as far as a host may use it; tests pass one that they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
  /** Runs once the events that are already waiting have been handled. */
  defer(run: () => void): void;
}
