import { MAX_GAP_MS, TRUST_AFTER_MS } from './limits.js';

/** What the host remembers of the clock between two tidy-ups, also across restarts. */
export interface ClockRecord {
  /** The first reading since the last jump. */
  readonly since: number;
  /** The latest reading. */
  readonly last: number;
}

/**
 * A clock that jumps ahead must not cause the deletion of what is to be kept for a month. So a jump in either direction
 * restarts the record, and the clock counts as trusted only after a day without one. A host that was off for days
 * cannot be told from a jump, and waits as well.
 */
export function observeClock(before: ClockRecord | undefined, now: number): ClockRecord {
  const hasJumped = !before || now < before.last || now - before.last > MAX_GAP_MS;
  return { since: hasJumped ? now : before.since, last: now };
}

export function isTrusted({ since, last }: ClockRecord): boolean {
  return last - since >= TRUST_AFTER_MS;
}

export function readClockRecord(json: string | undefined): ClockRecord | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as ClockRecord);
}
