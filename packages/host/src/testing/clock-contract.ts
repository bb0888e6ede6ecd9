import { describe, expect, it } from 'vitest';
import type { Clock } from '../ports/index.js';

/** The contract of Clock, as a vitest suite. `elapse` lets that much of the clock's time pass. */
export function describeClock(
  name: string,
  make: () => { readonly clock: Clock; readonly elapse: (milliseconds: number) => void | Promise<void> },
): void {
  describe(`${name} is a Clock`, () => {
    it('tells a time that advances', async () => {
      const { clock, elapse } = make();
      const before = clock.now();
      await elapse(5);
      expect(clock.now()).toBeGreaterThan(before);
    });

    it('runs timers once, in the order of their due times, and never early', async () => {
      const { clock, elapse } = make();
      const ran: string[] = [];
      clock.setTimeout(() => ran.push('later'), 20);
      clock.setTimeout(() => ran.push('sooner'), 1);
      expect(ran).toEqual([]);
      await elapse(40);
      expect(ran).toEqual(['sooner', 'later']);
      await elapse(40);
      expect(ran).toHaveLength(2);
    });

    it('does not run a cleared timer, and accepts a used or missing handle', async () => {
      const { clock, elapse } = make();
      let ran = 0;
      const handle = clock.setTimeout(() => ran++, 1);
      clock.clearTimeout(handle);
      clock.clearTimeout(handle);
      clock.clearTimeout(undefined);
      await elapse(20);
      expect(ran).toBe(0);
    });

    it('runs deferred functions after pending promise callbacks, in order', async () => {
      const { clock } = make();
      const ran: string[] = [];
      await new Promise<void>((resolve) => {
        clock.defer(() => ran.push('first'));
        clock.defer(() => {
          ran.push('second');
          resolve();
        });
        queueMicrotask(() => ran.push('promises'));
        expect(ran).toEqual([]);
      });
      expect(ran).toEqual(['promises', 'first', 'second']);
    });
  });
}
