import type { ResourceChange } from '@moorage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Batch } from '../../src/services/watches/batch.js';
import { MAX_BATCH } from '../../src/services/watches/limits.js';

describe('a batch', () => {
  it('leads a client that applies every batch to the actual files', () => {
    const change = fc.record({
      uri: fc.constantFrom('a', 'b', 'c'),
      type: fc.constantFrom('added', 'updated', 'deleted'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(change)), (rounds) => {
        const batch = new Batch('root');
        const real = new Set<string>();
        const followed = new Set<string>();
        for (const changes of rounds) {
          for (const { uri, type } of changes as ResourceChange[]) {
            if ((type === 'added') === real.has(uri)) continue; // nothing that can happen
            apply(real, { uri, type });
            batch.add(uri, type);
          }
          const taken = batch.take();
          expect(new Set(taken.map(({ uri }) => uri)).size).toBe(taken.length);
          for (const one of taken) apply(followed, one);
          expect([...followed].sort()).toEqual([...real].sort());
        }
      }),
    );
  });

  it('becomes a single change of the root when it overflows', () => {
    const batch = new Batch('root');
    for (let index = 0; index <= MAX_BATCH; index++) batch.add(`uri-${index}`, 'added');
    batch.add('later', 'added');
    expect(batch.take()).toEqual([{ uri: 'root', type: 'updated' }]);
    expect(batch.isEmpty).toBe(true);
    batch.add('next', 'added');
    expect(batch.take()).toEqual([{ uri: 'next', type: 'added' }]);
  });
});

function apply(files: Set<string>, { uri, type }: ResourceChange): void {
  if (type === 'deleted') files.delete(uri);
  else files.add(uri);
}
