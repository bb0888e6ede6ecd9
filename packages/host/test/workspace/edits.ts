import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

/** What may lie at a path; undefined is nothing. */
export type Content = { readonly kind: 'file' | 'tool' | 'link'; readonly bytes: Uint8Array } | undefined;

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
export const edits = fc.array(fc.tuple(fc.constantFrom(...NAMES), content), { maxLength: 10 });

/** Makes the folder hold this at these paths. */
export function apply(folder: string, changes: readonly (readonly [string, Content])[]): void {
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
