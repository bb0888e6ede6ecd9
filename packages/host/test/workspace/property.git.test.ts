import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileChange, FileVersion } from '../../src/ports/workspace.js';
import { apply, edits } from './edits.js';
import { Bench, describeChange } from './harness.js';
import { Truth } from './truth.js';

/** More of them in `npm run test:faults`. */
const RUNS = Number(process.env.FAULTS_RUNS ?? 10);

it(
  'any edits between two looks are what git says of two copies of the folder',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        edits,
        edits,
        fc.boolean(),
        fc.constantFrom('', '* text=auto\n'),
        async (first, second, committed, attributes) => {
          const bench = new Bench();
          try {
            if (committed) bench.commit({ '.gitattributes': attributes });
            apply(bench.folder, first);
            if (committed) bench.commit();
            const truth = new Truth(join(bench.root, 'truth'));
            const workspace = bench.open().open(bench.folder);
            const [before, truthBefore] = [
              await workspace.checkpoint({ freshness: 'exact' }),
              truth.remember(bench.folder, []),
            ];
            apply(bench.folder, second);
            const [after, truthAfter] = [
              await workspace.checkpoint({ freshness: 'exact' }),
              truth.remember(bench.folder, []),
            ];
            const changes = await workspace.compare(before, after);
            const expected = truth.compare(truthBefore, truthAfter);
            expect(changes.map(describeChange)).toEqual(expected);
            // What is kept of a turn are its changes only: composed again they must say the same without the user's repository.
            await workspace.keep(changes);
            rmSync(join(bench.top, '.git'), { recursive: true, force: true });
            const again = bench.open().open(bench.folder);
            const states = [
              await again.compose(side(changes, 'before')),
              await again.compose(side(changes, 'after')),
            ] as const;
            expect((await again.compare(...states)).map(describeChange)).toEqual(expected);
          } finally {
            await bench.dispose();
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 10_000,
); // dozens of runs of git for each

function side(changes: readonly FileChange[], which: 'before' | 'after'): FileVersion[] {
  return changes.flatMap((change) => change[which] ?? []);
}
