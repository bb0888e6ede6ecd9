import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { remember } from '../../src/services/annotations/evidence.js';
import { locate } from '../../src/services/annotations/locate.js';

const range = (start: number, count: number) => ({
  start: { line: start, character: 0 },
  end: { line: start + count, character: 0 },
});
const textOf = (lines: readonly string[], end = '\n') => lines.map((line) => line + end).join('');
const evidenceOf = (lines: readonly string[], start: number, count: number) => {
  const evidence = remember(textOf(lines), range(start, count));
  if (!evidence) throw new Error('nothing was remembered');
  return evidence;
};

/** A line with an identity, so that a test knows where it went. */
interface Line {
  readonly text: string;
  readonly id: number;
}

/** Lines as code has them: many that are all alike, some that stand in two places, and some of their own. */
const codeLine = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('}', '', '  }', '  return;', '{') },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 12 }).map((n) => `  call(argument${n});`) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 5_000 }).map((n) => `const value${n} = compute(${n});`) },
);

/** Numbers in [0, 1) that an edit takes to choose its place. */
const edit = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace'),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  count: fc.integer({ min: 1, max: 4 }),
  text: fc.integer({ min: 10_000, max: 99_999 }).map((n) => `fresh line number ${n}`),
});

const world = fc
  .record({
    texts: fc.array(codeLine, { minLength: 3, maxLength: 60 }),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    count: fc.integer({ min: 1, max: 4 }),
    edits: fc.array(edit, { maxLength: 8 }),
  })
  .map(({ texts, at, count, edits }) => {
    const start = Math.floor(at * texts.length);
    return { texts, start, count: Math.min(count, texts.length - start), edits };
  });

/** Edits lines outside of some that are kept; how the lines stand afterwards. */
function editElsewhere(lines: readonly Line[], kept: ReadonlySet<number>, edits: readonly Edit[]): Line[] {
  let now = [...lines];
  let next = lines.length;
  for (const { kind, place, count, text } of edits) {
    const fresh = Array.from({ length: count }, (_, n) => ({ text: `${text}.${n}`, id: next++ }));
    const at = Math.floor(place * (now.length + 1));
    const isInside = at > 0 && kept.has(now[at - 1]?.id ?? -1) && kept.has(now[at]?.id ?? -1);
    if (kind === 'insert' && !isInside) now = now.toSpliced(at, 0, ...fresh);
    const gone = new Set(now.slice(at, at + count).flatMap(({ id }) => (kept.has(id) ? [] : [id])));
    if (kind !== 'insert') now = now.filter(({ id }) => !gone.has(id));
    if (kind === 'replace' && gone.size > 0 && !isInside) {
      const first = now.findIndex(({ id }) => kept.has(id));
      const target = Math.min(at, now.length);
      const splits = target > first && target < first + kept.size;
      now = now.toSpliced(splits ? first : target, 0, ...fresh);
    }
  }
  return now;
}
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

describe('the lines of a comment', () => {
  it('are found where they moved to or reported as lost, whatever else changes', () => {
    let lost = 0;
    let moved = 0;
    fc.assert(
      fc.property(world, ({ texts, start, count, edits }) => {
        const lines = texts.map((text, id) => ({ text, id }));
        const kept = new Set(lines.slice(start, start + count).map(({ id }) => id));
        const now = editElsewhere(lines, kept, edits);
        const truth = now.findIndex(({ id }) => kept.has(id));
        const place = locate(evidenceOf(texts, start, count), textOf(now.map(({ text }) => text)));
        if (place.kind === 'lost') lost++;
        else {
          expect(place).toEqual({ kind: 'found', start: truth, count, isExact: true });
          if (truth !== start) moved++;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(moved).toBeGreaterThan(lost); // a finder that always gives up would be right as well
  });

  it('are always found when all changes are on one side, even among equal lines', () => {
    fc.assert(
      fc.property(world, fc.boolean(), fc.array(codeLine, { maxLength: 20 }), (made, above, others) => {
        const { texts, start, count } = made;
        const now = above ? [...others, ...texts.slice(start)] : [...texts.slice(0, start + count), ...others];
        const place = locate(evidenceOf(texts, start, count), textOf(now));
        const same = above && now.slice(0, start + count).join('\n') === texts.slice(0, start + count).join('\n');
        const expected = above && !same ? others.length : start;
        expect(place).toMatchObject({ kind: 'found', start: expected, isExact: true });
      }),
      { numRuns: 1_000 },
    );
  });

  it('stay in place in an unchanged file', () => {
    fc.assert(
      fc.property(world, ({ texts, start, count }) => {
        const evidence = evidenceOf(texts, start, count);
        expect(locate(evidence, textOf(texts, '\r\n'))).toEqual({ kind: 'found', start, count, isExact: true });
      }),
    );
  });

  it('are lost when rewritten, and found when only slightly edited', () => {
    const file = Array.from({ length: 30 }, (_, n) => `const value${n} = compute(input${n}, options);`);
    const evidence = evidenceOf(file, 10, 2);
    const withLines = (...lines: string[]) => ['// a new line', ...file.slice(0, 10), ...lines, ...file.slice(12)];
    const edited = withLines('const value10 = compute(input10, defaults);', file[11] ?? '');
    expect(locate(evidence, edited.join('\n'))).toEqual({ kind: 'found', start: 11, count: 2, isExact: false });
    const rewritten = withLines('throw new Error("not any more");', 'process.exit(1);');
    expect(locate(evidence, rewritten.join('\n'))).toEqual({ kind: 'lost' });
    expect(locate(evidence, withLines().join('\n'))).toEqual({ kind: 'lost' });
    expect(locate(evidence, '')).toEqual({ kind: 'lost' });
  });

  it('are found when only their indentation changed', () => {
    const file = ['start();', 'alpha(one);', 'beta(two);', 'end();'];
    const now = ['start();', 'if (ready) {', '  alpha(one);', '  beta(two);', '}', 'end();'];
    const place = locate(evidenceOf(file, 1, 2), now.join('\n'));
    expect(place).toEqual({ kind: 'found', start: 2, count: 2, isExact: false });
  });

  it('are lost rather than confused with similar lines', () => {
    const block = ['function a() {', '  return done;', '}'];
    const file = Array.from({ length: 7 }, () => block).flat();
    expect(locate(evidenceOf(file, 10, 1), textOf(['// top', ...file, '// end']))).toEqual({ kind: 'lost' });
    const third = [...file.slice(0, 9), '// the third', ...file.slice(9)];
    const evidence = evidenceOf(third, 11, 1);
    expect(locate(evidence, textOf(['// top', ...third, '// end']))).toMatchObject({ kind: 'found', start: 12 });
    expect(locate(evidence, textOf(['// top', ...file, '// end']))).toEqual({ kind: 'lost' });
  });

  it('are not recorded if the file does not have them', () => {
    expect(remember('one\ntwo\n', range(1, 2))).toBeUndefined();
    expect(remember('', range(0, 1))).toBeUndefined();
    expect(remember('one', range(0, 1))).toBeDefined();
  });
});
