import { describe, expect, it } from 'vitest';
import { Backoff, MAX_DELAY_MS, MIN_DELAY_MS, STABLE_AFTER_MS } from '../../src/connection/backoff.js';

const longest = () => 1 - Number.EPSILON;
const shortest = () => 0;

describe('backoff', () => {
  it('doubles up to the longest delay', () => {
    const backoff = new Backoff({ minDelayMs: 100, maxDelayMs: 1000 }, longest);
    const delays = Array.from({ length: 6 }, () => Math.round(backoff.next(0) ?? 0));
    expect(delays).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  it('spreads each delay over its upper half', () => {
    expect(new Backoff({ minDelayMs: 100 }, shortest).next(0)).toBe(50);
    expect(new Backoff({ minDelayMs: 100 }, () => 0.5).next(0)).toBe(75);
  });

  it('has defaults', () => {
    const backoff = new Backoff({}, longest);
    const delays = Array.from({ length: 20 }, () => Math.round(backoff.next(0) ?? 0));
    expect([delays[0], delays.at(-1)]).toEqual([MIN_DELAY_MS, MAX_DELAY_MS]);
  });

  it('begins anew only after a connection that lasted', () => {
    const backoff = new Backoff({ minDelayMs: 100 }, shortest);
    backoff.next(0);
    backoff.live(1000);
    expect(backoff.next(1000 + STABLE_AFTER_MS - 1)).toBe(100);
    backoff.live(9000);
    expect(backoff.next(9000 + STABLE_AFTER_MS)).toBe(50);
  });

  it('ends after the allowed attempts, or before the first', () => {
    const backoff = new Backoff({ maxAttempts: 2 }, shortest);
    expect([backoff.next(0), backoff.next(0), backoff.next(0)]).toEqual([125, 250, undefined]);
    expect(new Backoff(false, shortest).next(0)).toBeUndefined();
  });
});
