import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OscFilter, type Piece } from '../../src/services/terminals/osc-filter.js';
import { readMark } from '../../src/services/terminals/shell-marks.js';

function filtered(chunks: readonly string[]): Piece[] {
  const filter = new OscFilter();
  return joined([...chunks.flatMap((chunk) => filter.push(chunk)), ...filter.end()]);
}

/** Adjacent texts as one: how output is cut into pieces means nothing. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') result[result.length - 1] = last + piece;
    else result.push(piece);
  }
  return result;
}

const textOf = (pieces: readonly Piece[]) => pieces.filter((piece) => typeof piece === 'string').join('');

const SNIPPETS = [
  '\x1b]133;A\x07',
  '\x1b]133;D;0\x1b\\',
  '\x1b]633;C;nonce;ls\x07',
  '\x1b]633;P;Cwd=/tmp\x1b\\',
  '\x1b]1337;CurrentDir=/x\x07',
  '\x1b]1337;SetMark\x07',
  '\x1b]1337;File=name=x:AAAA\x07',
  '\x1b]0;title\x07',
  '\x1b]2;title\x1b\\',
  '\x1b]7;file://h/tmp\x07',
  '\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\',
  '\x1b]52;c;AAAA\x07',
  '\x1b]1330;x\x07',
  '\x1b]13',
  '\x1b]633;never ends',
  '\x1b]133;\x18',
  '\x1b[31m',
  '\x1b[?1049h',
  '\x1b',
  '\x1b\x1b]',
  '\x1bP1;2|\x1b\\',
  '\x07',
  '\\',
  'text',
  'ü😀',
  '\r\n',
];

const stream = fc.array(fc.oneof(fc.constantFrom(...SNIPPETS), fc.string({ unit: 'binary', maxLength: 4 })), {
  maxLength: 30,
});

describe('the filter of shell integration marks', () => {
  it('yields the same text and marks in the same order however the stream is cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (snippets, cuts) => {
        const whole = snippets.join('');
        const offsets = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...offsets].map((offset, index) => whole.slice(offset, offsets[index] ?? whole.length));
        const once = filtered([whole]);
        expect(filtered(chunks)).toEqual(once);
        expect(filtered([...whole])).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('passes every other byte through', () => {
    const others = fc.array(
      fc.constantFrom(...SNIPPETS.filter((snippet) => !/\]1?[36]3|\]1337;[CS]/.test(snippet) && snippet !== '\x1b]13')),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(others, (snippets) => {
        const whole = snippets.join('|');
        expect(textOf(filtered([whole]))).toBe(whole);
      }),
    );
  });

  it('removes marks with any terminator, and nothing else', () => {
    const marks = ['133;A', '633;E;x', '1337;SetMark', '1337;CurrentDir=/', '133', '1337;RemoteHost=a@b'];
    for (const mark of marks) {
      for (const end of ['\x07', '\x1b\\', '\x9c', '\x18']) {
        expect(textOf(filtered([`a\x1b]${mark}${end}b`]))).toBe('ab');
      }
      expect(textOf(filtered([`a\x1b]${mark}\x1b[31mb`]))).toBe('a\x1b[31mb');
    }
  });

  it('swallows a mark that never ends, and keeps little of it in memory', () => {
    const filter = new OscFilter();
    for (let count = 0; count < 200; count++) expect(filter.push('x'.repeat(65_536))).toHaveLength(1);
    filter.push('\x1b]633;C;');
    for (let count = 0; count < 200; count++) expect(filter.push('x'.repeat(65_536))).toEqual([]);
    expect(filter.push('\x07on')).toEqual(['on']); // too long to be a mark
    const passed = new OscFilter();
    expect(textOf(passed.push(`\x1b]52;c;${'A'.repeat(1_000_000)}`))).toHaveLength(1_000_007);
  });

  it('trusts only commands in marks with the nonce', () => {
    const mark = (payload: string) => readMark({ number: 633, payload }, 'N');
    expect(mark('C;N;ls\\x0a\\\\;')).toEqual({ kind: 'commandStart', commandLine: 'ls\n\\;' });
    expect(mark('D;N;3')).toEqual({ kind: 'commandEnd', exitCode: 3 });
    expect(mark('D;N;')).toEqual({ kind: 'commandEnd', exitCode: undefined });
    for (const forged of ['C;M;ls', 'D;0', 'D;;0', 'C', '', 'E;ls', 'D;N', 'P;N;Cwd=relative']) {
      expect(mark(forged)).toBeUndefined();
    }
    expect(readMark({ number: 633, payload: 'D;;0' }, '')).toBeUndefined();
    expect(readMark({ number: 7, payload: 'file://host/a%20b' }, '')).toMatchObject({ path: '/a b', trusted: false });
    expect(readMark({ number: 0, payload: 'a\x00b\nc' }, '')).toEqual({ kind: 'title', title: 'a b c' });
  });
});
