import { describe, expect, it } from 'vitest';
import type { Ids } from '../ports/ids.js';

/** The contract of Ids, as a vitest suite. */
export function describeIds(name: string, make: () => Ids): void {
  describe(`${name} is an Ids`, () => {
    it('never returns an id twice, and only ids that fit into a URI', () => {
      const ids = make();
      const given = Array.from({ length: 10_000 }, () => ids.next());
      expect(new Set(given).size).toBe(given.length);
      expect(given.filter((id) => !/^[\w-]+$/.test(id))).toEqual([]);
    });
  });
}
