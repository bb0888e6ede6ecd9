import { describe, expect, it } from 'vitest';
import type { Clock } from '../ports/index.js';

/** What the host relies on in every Clock. `elapse` lets that much of its time go by. */
export function describeClock(
  name: string,
  make: () => { readonly clock: Clock; readonly elapse: (milliseconds: number) => void | Promise<void> },
): void {
  describe(`${name} is a Clock`, () => {
    it('tells a time that goes on', async () => {
      const { clock, elapse } = make();
      const before = clock.now();
      await elapse(5);
      expect(clock.now()).toBeGreaterThan(before);
    });

    it('runs what is due once, in the order of time, and nothing before', async () => {
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

    it('forgets what was cleared; a handle that is spent or absent may be cleared too', async () => {
      const { clock, elapse } = make();
      let ran = 0;
      const handle = clock.setTimeout(() => ran++, 1);
      clock.clearTimeout(handle);
      clock.clearTimeout(handle);
      clock.clearTimeout(undefined);
      await elapse(20);
      expect(ran).toBe(0);
    });

    it('defers behind what was decided before, and in order', async () => {
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
