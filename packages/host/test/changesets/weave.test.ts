import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Weave } from '../../src/services/changesets/authorship/weave.js';

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
const versions = fc.array(fc.record({ lines: text, by: fc.constantFrom('one', 'two', 'three') }), { maxLength: 6 });

it('without nobody is the last version, and without everybody the first', () => {
  fc.assert(
    fc.property(text, versions, (first, later) => {
      const weave = new Weave(first);
      for (const { lines, by } of later) weave.add(lines, { by: [by] });
      expect(weave.without(() => false)).toEqual(later.at(-1)?.lines ?? first);
      expect(weave.without(() => true)).toEqual(first);
    }),
  );
});

it('lines that go and come back are the same lines', () => {
  const weave = new Weave(['1', '2', '3']);
  weave.add(['1', 'two', '3'], { by: ['agent'] });
  weave.add(['1', '3'], { by: ['user'] });
  weave.add(['1', 'two', '3'], { by: ['user'] });
  expect(weave.hunks((author) => author === 'agent')).toHaveLength(1);
  expect(weave.without((author) => author === 'agent')).toContain('2');
});

it('a long text may go as a whole and come back', () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index % 5_000}`);
  const weave = new Weave(lines);
  weave.add([], { by: ['agent'] });
  weave.add(lines, { by: ['user'] });
  expect(weave.without((author) => author === 'agent')).toEqual(lines);
});
