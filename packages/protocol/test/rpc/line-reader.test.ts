import { describe, expect, it } from 'vitest';
import { lineReader } from '../../src/rpc/line-reader.js';

describe('lineReader', () => {
  it('gives whole lines, whatever the chunks', () => {
    const lines: string[] = [];
    const read = lineReader(100, (line) => lines.push(line));
    for (const chunk of ['{"a"', ':1}\n{"b":2}', '\n\n', 'x\r\n', 'rest']) read(chunk);
    expect(lines).toEqual(['{"a":1}', '{"b":2}', 'x\r']);
  });

  it('says when a line grows too long', () => {
    const read = lineReader(10, () => {});
    expect([read('12345'), read('67890'), read('1')]).toEqual([true, true, false]);
  });
});
