import { MAX_GAP_MS, TRUST_AFTER_MS } from './limits.js';

/** What is remembered of the clock from one look to the next, also across restarts. */
export interface ClockRecord {
  /** When it was first seen as it runs now. */
  readonly since: number;
  /** When it was seen last. */
  readonly last: number;
}

/**
 * A clock that jumped ahead must not delete what is to be kept for a month. So a jump in either direction starts the record
 * anew, and only what the clock has said for a day is believed. A host that was off for days looks like a jump: it waits too.
 */
export function lookAtClock(before: ClockRecord | undefined, now: number): ClockRecord {
  const hasJumped = !before || now < before.last || now - before.last > MAX_GAP_MS;
  return { since: hasJumped ? now : before.since, last: now };
}

export function isTrusted({ since, last }: ClockRecord): boolean {
  return last - since >= TRUST_AFTER_MS;
}

export function readClockRecord(json: string | undefined): ClockRecord | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as ClockRecord);
}
