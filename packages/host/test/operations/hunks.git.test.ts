import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOf } from '@moorage/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../../tests/support/run-from-small-process.js';
import { parseHunks } from '../../src/adapters/folder-editor-git/parse-hunks.js';
import type { Hunk } from '../../src/ports/contents.js';
import { describeLines, exchangeHunks, touchedHunks, wholeHunk } from '../../src/services/changesets/hunks.js';

const folder = mkdtempSync(join(tmpdir(), 'hunks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git says, as the adapter reads it. */
function diff(before: string, after: string): Hunk[] {
  const files = [join(folder, 'a'), join(folder, 'b')] as const;
  writeFileSync(files[0], before);
  writeFileSync(files[1], after);
  try {
    return parseHunks(run('git', ['diff', '--no-index', '-U0', '--no-color', ...files])) ?? [];
  } catch (error) {
    return parseHunks((error as { stdout: Buffer }).stdout) ?? [];
  }
}

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'x\r\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('', 'end', 'b'))
  .map(([lines, end]) => lines.join('') + end);

describe('hunks', () => {
  it('taken back all, none, or some give before, after, and what git says of the rest', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (before, after, choose) => {
        const hunks = diff(before, after);
        const [old, now] = [Buffer.from(before), Buffer.from(after)];
        const put = (side: 'before' | 'after', some: Hunk[]) =>
          Buffer.from(
            side === 'after' ? exchangeHunks(now, old, 'after', some) : exchangeHunks(old, now, 'before', some),
          ).toString();
        expect(put('after', hunks)).toBe(before);
        expect(put('after', [])).toBe(after);
        expect(put('before', hunks)).toBe(after);
        const some = hunks.filter(() => choose.next().value);
        const others = hunks.filter((hunk) => !some.includes(hunk));
        // To take some back from after is to apply the others to before.
        expect(put('after', some)).toBe(put('before', others));
      }),
      { numRuns: 150 },
    );
  });

  it('are touched by every line of theirs and by no line that is not next to them', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom('before' as const, 'after' as const), (before, after, side) => {
        const hunks = diff(before, after);
        const count = (side === 'before' ? before : after).split('\n').length;
        for (let at = 0; at < count; at++) {
          const touched = touchedHunks(hunks, side, { start: at, count: 1 });
          for (const hunk of hunks) {
            const { start, count: lines } = hunk[side];
            const isIn = lines > 0 ? at >= start && at < start + lines : at === start || at === start - 1;
            expect(touched.includes(hunk)).toBe(isIn);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('of a file that is on one side only are one', () => {
    expect(wholeHunk(Buffer.from('a\nb'), 'after')).toEqual([
      { before: { start: 0, count: 0 }, after: { start: 0, count: 2 } },
    ]);
    expect(wholeHunk(Buffer.from('a\n'), 'before')).toEqual([
      { before: { start: 0, count: 1 }, after: { start: 0, count: 0 } },
    ]);
    expect(wholeHunk(Buffer.from(''), 'after')).toEqual([]);
  });
});

it.each([
  [
    { start: { line: 2, character: 0 }, end: { line: 4, character: 0 } },
    { start: 2, count: 2 },
  ],
  [
    { start: { line: 2, character: 5 }, end: { line: 4, character: 1 } },
    { start: 2, count: 3 },
  ],
  [
    { start: { line: 2, character: 3 }, end: { line: 2, character: 3 } },
    { start: 2, count: 1 },
  ],
])('a range covers the lines that it reaches into', (range, lines) => {
  expect(linesOf(range)).toEqual(lines);
});

it('names lines as people count them', () => {
  const spans = [
    { start: 0, count: 1 },
    { start: 4, count: 3 },
    { start: 9, count: 0 },
  ];
  expect(describeLines(spans)).toBe('line 1, lines 5-7, after line 9');
});
