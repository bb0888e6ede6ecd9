import { describe, expect, it } from 'vitest';
import type { Ids } from '../ports/ids.js';

/** What the host relies on in every Ids. */
export function describeIds(name: string, make: () => Ids): void {
  describe(`${name} is an Ids`, () => {
    it('never gives an id twice, and none that does not fit into a URI', () => {
      const ids = make();
      const given = Array.from({ length: 10_000 }, () => ids.next());
      expect(new Set(given).size).toBe(given.length);
      expect(given.filter((id) => !/^[\w-]+$/.test(id))).toEqual([]);
    });
  });
}
