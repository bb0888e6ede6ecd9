import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeLines, LineReader } from '../../src/adapters/shared/ndjson/lines.js';

describe('lines', () => {
  it('come out as they went in, however the bytes are cut', () => {
    const frame = fc.json({ stringUnit: 'binary' });
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (frames, cuts) => {
        expect(readBack(Buffer.from(encodeLines(frames)), cuts, 1_000_000)).toEqual({
          lines: frames.map((text) => Buffer.from(text).toString()),
          violations: [],
        });
      }),
    );
  });

  it('mean the same JSON when it was written over several lines', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('\n', '\r\n', ' \r'), (value, separator) => {
        const pretty = JSON.stringify(value, null, 2).replaceAll('\n', separator);
        const { lines } = readBack(Buffer.from(encodeLines([pretty])), [7], 1_000_000);
        expect(lines.map((line) => JSON.parse(line))).toEqual([JSON.parse(JSON.stringify(value))]);
      }),
    );
  });

  it('are bounded in bytes, to the byte, however they are cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 7 }), fc.boolean(), (size, cut, crlf) => {
        const bytes = Buffer.from(`${'€'.repeat(size)}${crlf ? '\r\n' : '\n'}"next"\n`);
        const { lines, violations } = readBack(bytes, [cut], 90);
        expect(violations).toEqual(size * 3 > 90 ? [1009] : []);
        expect(lines).toEqual(size * 3 > 90 ? [] : [...(size === 0 ? [] : ['€'.repeat(size)]), '"next"']);
      }),
    );
  });

  it('of 16 MiB in tiny chunks take linear time', () => {
    const chunk = Buffer.from('x'.repeat(64));
    const lines: number[] = [];
    const reader = new LineReader(
      2 ** 24,
      (line) => lines.push(line.length),
      () => expect.unreachable(),
    );
    for (let index = 0; index < 2 ** 18; index++) reader.push(chunk);
    reader.push(Buffer.from('\n"short"\n'));
    expect(lines).toEqual([2 ** 24, 7]);
  });
});

function readBack(bytes: Buffer, cuts: readonly number[], maxBytes: number): { lines: string[]; violations: number[] } {
  const [lines, violations]: [string[], number[]] = [[], []];
  const reader = new LineReader(
    maxBytes,
    (line) => lines.push(line),
    (code) => violations.push(code),
  );
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = cuts[turn % cuts.length] ?? 1;
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { lines, violations };
}
