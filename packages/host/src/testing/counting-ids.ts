import type { Ids } from '../ports/ids.js';

/** Predictable ids: `id-1`, `id-2` and so on. */
export function countingIds(prefix = 'id'): Ids {
  let last = 0;
  return { next: () => `${prefix}-${++last}` };
}
