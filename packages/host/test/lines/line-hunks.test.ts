import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commonLines } from '../../src/lines/common-lines.js';
import { bytesOf, lineHunks, linesOf } from '../../src/lines/line-hunks.js';

const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 14 });

it('finds the longest common lines, in order', () => {
  fc.assert(
    fc.property(lines, lines, (older, newer) => {
      const common = commonLines(older, newer, 100) ?? [];
      expect(common.length).toBe(longest(older, newer));
      for (const [at, [x, y]] of common.entries()) {
        expect(older[x]).toBe(newer[y]);
        const [lastX, lastY] = common[at - 1] ?? [-1, -1];
        expect(x > lastX && y > lastY).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('gives hunks that turn the older text into the newer one', () => {
  fc.assert(
    fc.property(lines, lines, (older, newer) => {
      const made: string[] = [];
      let at = 0;
      for (const { before, after } of lineHunks(older, newer)) {
        made.push(...older.slice(at, before.start), ...newer.slice(after.start, after.start + after.count));
        at = before.start + before.count;
      }
      expect([...made, ...older.slice(at)]).toEqual(newer);
    }),
    { numRuns: 2_000 },
  );
});

it('gives up beyond the bound', () => {
  expect(commonLines(['a', 'x', 'b'], ['a', 'y', 'b'], 1)).toBeUndefined();
  expect(commonLines(['a', 'x', 'b'], ['a', 'y', 'b'], 2)).toEqual([
    [0, 0],
    [2, 2],
  ]);
});

it('keeps every byte, and tells a last line without an end from one with it', () => {
  const bytes = Buffer.from([0x61, 0x0d, 0x0a, 0xff, 0x0a, 0x62]);
  expect(bytesOf(linesOf(bytes))).toEqual(bytes);
  expect(lineHunks(linesOf(Buffer.from('b\n')), linesOf(Buffer.from('b')))).toHaveLength(1);
  expect(linesOf(Buffer.alloc(0))).toEqual([]);
});

function longest(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      (table[i] as number[])[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  return at(a.length, b.length);
}
