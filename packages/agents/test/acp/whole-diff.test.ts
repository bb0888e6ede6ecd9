import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownFile, type ReportedDiff, wholeDiff } from '../../src/acp/mapping/whole-diff.js';

const FILE = 'one\ntwo\nthree\n';
const part: ReportedDiff = { oldText: 'two', newText: 'TWO' };
const EDITED = 'one\nTWO\nthree\n';
const known = (before: KnownFile['before'], now: KnownFile['now'] = before): KnownFile => ({
  before,
  now,
  everywhere: false,
});

describe('a change of some lines', () => {
  it.each([
    ['before it is made', known(FILE)],
    ['when it is made', known(FILE, EDITED)],
    ['of which nobody knew before it was made', known(undefined, EDITED)],
    ['by an agent that was looked at too late', known(EDITED)],
  ])('%s is shown as a change of the file', (what, file) => {
    const whole = wholeDiff([part], file);
    if (what.includes('too late')) expect(whole).toBeUndefined();
    else expect(whole).toEqual({ oldText: FILE, newText: EDITED });
  });

  it('that others have changed meanwhile holds only its own part', () => {
    expect(wholeDiff([part], known(FILE, `zero\n${EDITED}`))).toEqual({
      oldText: `zero\n${FILE}`,
      newText: `zero\n${EDITED}`,
    });
  });

  it('that a formatter has changed again is what was said', () => {
    expect(wholeDiff([part], known(FILE, 'one\n  Two\nthree\n'))).toEqual({ oldText: FILE, newText: EDITED });
  });

  it('follows the line endings of the file', () => {
    const diff = { oldText: 'one\ntwo', newText: 'one\nTWO' };
    expect(wholeDiff([diff], known('one\r\ntwo\r\n'))).toEqual({
      oldText: 'one\r\ntwo\r\n',
      newText: 'one\r\nTWO\r\n',
    });
  });

  it('is made everywhere only if the agent says so', () => {
    const twice = known('two two');
    expect(wholeDiff([part], twice)).toBeUndefined();
    expect(wholeDiff([part], { ...twice, everywhere: true })).toEqual({ oldText: 'two two', newText: 'TWO TWO' });
  });

  it.each([
    ['is not there', known(FILE.replace('two', 'six'))],
    ['has no file', known(null)],
    ['is in a file that nobody can read', known(undefined)],
  ])('that %s is left as it was told', (_what, file) => {
    expect(wholeDiff([part], file)).toBeUndefined();
  });
});

describe('a whole new text', () => {
  const text: ReportedDiff = { oldText: undefined, newText: 'new\n' };
  it('replaces what is there, or makes a file', () => {
    expect(wholeDiff([text], known(FILE))).toEqual({ oldText: FILE, newText: 'new\n' });
    expect(wholeDiff([text], known(FILE, 'new\n'))).toEqual({ oldText: FILE, newText: 'new\n' });
    expect(wholeDiff([text], known(null))).toEqual({ oldText: null, newText: 'new\n' });
    expect(wholeDiff([{ ...text, oldText: '' }], known(null))).toEqual({ oldText: null, newText: 'new\n' });
  });

  it('of a file that was never looked at is left as it was told', () => {
    expect(wholeDiff([text], known(undefined, 'new\n'))).toBeUndefined();
  });
});

it('any changes of lines that can be told apart are found again, whenever the file is looked at', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{3}$/), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.array(fc.nat(), { maxLength: 4 }), (lines, places) => {
      const before = `${lines.join('\n')}\n`;
      let after = before;
      const diffs: ReportedDiff[] = [];
      for (const place of new Set(places.map((at) => at % lines.length))) {
        const word = lines[place] ?? '';
        diffs.push({ oldText: word, newText: `${word.toUpperCase()}${diffs.length}` });
        after = after.replace(word, diffs.at(-1)?.newText ?? '');
      }
      fc.pre(diffs.length > 0);
      const expected = { oldText: before, newText: after };
      expect(wholeDiff(diffs, known(before))).toEqual(expected);
      expect(wholeDiff(diffs, known(before, after))).toEqual(expected);
      expect(wholeDiff(diffs, known(undefined, after))).toEqual(expected);
    }),
  );
});
