import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines } from '../src/diff/compute.js';
import { sectionsOf } from '../src/diff/hunks.js';
import { pairsOf } from '../src/diff/pairs.js';
import { changedWords } from '../src/diff/words.js';

/** Few different lines, so that texts have much in common. */
const text = fc
  .array(fc.constantFrom('a', 'b', '  b', 'c c', ''), { maxLength: 40 })
  .chain((lines) => fc.boolean().map((ended) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : '')));

const NO_NEWLINE = '\uFFFF';

function rejoined(lines: readonly DiffLine[], gone: DiffLine['kind']): string {
  const kept = lines.filter(({ kind }) => kind !== gone).map(({ text: line }) => line);
  return kept.map((line) => (line.endsWith(NO_NEWLINE) ? line.slice(0, -1) : `${line}\n`)).join('');
}

describe('comparing lines', () => {
  it('loses nothing of either side, and numbers what is there', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after, false);
        expect(rejoined(lines, 'added')).toBe(before);
        expect(rejoined(lines, 'removed')).toBe(after);
        const numbers = (side: 'oldLine' | 'newLine') => lines.flatMap((line) => line[side] ?? []);
        for (const side of ['oldLine', 'newLine'] as const)
          expect(numbers(side)).toEqual(numbers(side).map((_, index) => index + 1));
      }),
    );
  });

  it('without whitespace sees no change where only that changed', () => {
    expect(diffLines('a b\nc\n', 'a  b\n\tc\n', true).every(({ kind }) => kind === 'same')).toBe(true);
    expect(diffLines('a b\nc\n', 'a  b\n\tc\n', false).every(({ kind }) => kind === 'same')).toBe(false);
  });

  it('shows every line once, folded or not, and side by side as well', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after, false);
        expect(sectionsOf(lines).flatMap((section) => section.lines)).toEqual(lines);
        const gaps = sectionsOf(lines).flatMap((section) => (section.kind === 'gap' ? section.lines : []));
        expect(gaps.every(({ kind }) => kind === 'same')).toBe(true);
        const pairs = pairsOf(lines);
        expect(pairs.flatMap(({ left }) => left ?? [])).toEqual(lines.filter(({ kind }) => kind !== 'added'));
        expect(pairs.flatMap(({ right }) => right ?? [])).toEqual(lines.filter(({ kind }) => kind !== 'removed'));
      }),
    );
  });

  it('opens a fold where it is asked for', () => {
    const before = Array.from({ length: 30 }, (_, index) => `${index}`).join('\n');
    const lines = diffLines(before, before.replace('15', 'fifteen'), false);
    const gap = sectionsOf(lines).find(({ kind }) => kind === 'gap');
    const opened = new Set(gap?.kind === 'gap' ? [gap.key] : []);
    expect(sectionsOf(lines, opened).map(({ kind }) => kind)).toEqual(['hunk', 'gap']);
  });
});

describe('comparing words', () => {
  it('gives back the line it was given', () => {
    const line = fc
      .array(fc.constantFrom('one', 'two', ' ', '(', 'three'), { maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(line, line, (before, after) => {
        const old = changedWords(before, after, 'old');
        const now = changedWords(after, before, 'new');
        if (old) expect(old.map((piece) => piece.text).join('')).toBe(before);
        if (now) expect(now.map((piece) => piece.text).join('')).toBe(after);
      }),
    );
  });

  it('does not compare lines that have nothing in common', () => {
    expect(changedWords('return total', 'import everything', 'old')).toBeUndefined();
  });
});
