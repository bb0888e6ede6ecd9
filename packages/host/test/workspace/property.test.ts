import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileChange, FileVersion } from '../../src/ports/workspace.js';
import { Bench, describeChange } from './harness.js';
import { Truth } from './truth.js';

/** What may lie at a path; undefined is nothing. */
type Content = { readonly kind: 'file' | 'tool' | 'link'; readonly bytes: Uint8Array } | undefined;

// Few names, so that files meet, also as folder of one another; few lines, so that some resemble each other enough to be moves.
const NAMES = ['a', 'b', 'a/x', 'a/y', 'sub/a', 'sub/deep/b', 'with space', 'ünï', '-n', 'q"'];
const lines = fc
  .array(fc.constantFrom('one\n', 'two\n', 'three\r\n', '\n', 'a longer line that weighs more\n', 'no end'), {
    maxLength: 8,
  })
  .map((parts) => Buffer.from(parts.join('')));
const bytes = fc.oneof({ weight: 4, arbitrary: lines }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) });
const content: fc.Arbitrary<Content> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: bytes.map((it) => ({ kind: 'file' as const, bytes: it })) },
  { weight: 1, arbitrary: bytes.map((it) => ({ kind: 'tool' as const, bytes: it })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a', 'nowhere').map((to) => ({ kind: 'link' as const, bytes: Buffer.from(to) })),
  },
);
const edits = fc.array(fc.tuple(fc.constantFrom(...NAMES), content), { maxLength: 10 });

it('any edits between two looks are what git says of two copies of the folder', async () => {
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
          const [before, truthBefore] = [await workspace.checkpoint(), truth.remember(bench.folder, [])];
          apply(bench.folder, second);
          const [after, truthAfter] = [await workspace.checkpoint(), truth.remember(bench.folder, [])];
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
    { numRuns: 25 },
  );
});

function side(changes: readonly FileChange[], which: 'before' | 'after'): FileVersion[] {
  return changes.flatMap((change) => change[which] ?? []);
}

function apply(folder: string, changes: readonly (readonly [string, Content])[]): void {
  for (const [name, wanted] of changes) {
    const path = join(folder, name);
    const parent = dirname(path);
    if (lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(parent);
    rmSync(path, { recursive: true, force: true });
    if (!wanted) continue;
    mkdirSync(parent, { recursive: true });
    if (wanted.kind === 'link') symlinkSync(Buffer.from(wanted.bytes).toString(), path);
    else writeFileSync(path, wanted.bytes);
    if (wanted.kind === 'tool') chmodSync(path, 0o755);
  }
}
