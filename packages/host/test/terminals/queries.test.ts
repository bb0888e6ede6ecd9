import { QueryFilter } from '@moorage/protocol/internal';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../../src/services/terminals/answers.js';
import { Cursor } from '../../src/services/terminals/cursor.js';

const COLS = 20;
const ROWS = 6;
const NOWHERE = { cols: COLS, rows: ROWS, cursor: () => ({ row: 2, column: 3 }) };

function filtered(chunks: readonly string[]) {
  const filter = new QueryFilter();
  const pieces = chunks.flatMap((chunk) => filter.push(chunk));
  return {
    text: pieces.filter((piece) => typeof piece === 'string').join('') + filter.end(),
    queries: pieces.filter((piece) => typeof piece !== 'string'),
  };
}

const ESC = '\x1b';
const QUERIES: readonly (readonly [string, string | undefined])[] = [
  [`${ESC}[c`, `${ESC}[?1;2c`],
  [`${ESC}[0c`, `${ESC}[?1;2c`],
  [`${ESC}Z`, `${ESC}[?1;2c`],
  [`${ESC}[>c`, `${ESC}[>0;276;0c`],
  [`${ESC}[=c`, undefined],
  [`${ESC}[5n`, `${ESC}[0n`],
  [`${ESC}[6n`, `${ESC}[2;3R`],
  [`${ESC}[?6n`, `${ESC}[?2;3R`],
  [`${ESC}[\x016n`, `${ESC}[2;3R`],
  ['\x9b6n', `${ESC}[2;3R`],
  [`${ESC}[?996n`, undefined],
  [`${ESC}[?2026$p`, `${ESC}[?2026;0$y`],
  [`${ESC}[4$p`, `${ESC}[4;0$y`],
  [`${ESC}[>0q`, `${ESC}P>|moorage${ESC}\\`],
  [`${ESC}[?u`, undefined],
  [`${ESC}[18t`, `${ESC}[8;${ROWS};${COLS}t`],
  [`${ESC}[21t`, undefined],
  [`${ESC}P$qm${ESC}\\`, `${ESC}P0$r${ESC}\\`],
  [`${ESC}P+q544e${ESC}\\`, `${ESC}P0+r${ESC}\\`],
  [`${ESC}]10;?\x07`, undefined],
  [`${ESC}]11;?${ESC}\\`, undefined],
  [`${ESC}]4;1;?\x07`, undefined],
  [`${ESC}]52;c;?\x07`, undefined],
  [`${ESC}_Gi=31,a=q;AAAA${ESC}\\`, undefined],
];
const OTHERS = [
  'text',
  '\r\n',
  `${ESC}[31m`,
  `${ESC}[2J`,
  `${ESC}[?1049h`,
  `${ESC}[3 q`,
  `${ESC}[22;0t`,
  `${ESC}[8;24;80t`,
  `${ESC}[!p`,
  `${ESC}[>4;2m`,
  `${ESC}]0;title\x07`,
  `${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`,
  `${ESC}]52;c;AAAA\x07`,
  `${ESC}]10;#ffffff\x07`,
  `${ESC}Pq#0;2;0;0;0~${ESC}\\`,
  `${ESC}(B`,
  `${ESC}7`,
  `${ESC}M`,
  '日本',
];

describe('queries in the output of a program', () => {
  it.each(QUERIES)('%j are taken out and answered as a terminal would', (query, answer) => {
    const { text, queries } = filtered([`a${query}b`]);
    expect(text.replaceAll('\x01', '')).toBe('ab');
    const answers = queries.map((found) => answerTo(found, NOWHERE)).filter((text) => text !== undefined);
    expect(answers).toEqual(answer === undefined ? [] : [answer]);
  });

  it('are found however the output is cut, and nothing else is touched', () => {
    const snippets = [...OTHERS, ...QUERIES.map(([query]) => query).filter((query) => !query.includes('\x01'))];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...snippets), { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (parts, cuts) => {
          const whole = parts.join('');
          const at = [...new Set(cuts.map((cut) => (whole.length === 0 ? 0 : cut % whole.length)))].sort(
            (a, b) => a - b,
          );
          const chunks = [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
          const { text, queries } = filtered(chunks);
          expect(text).toBe(parts.filter((part) => OTHERS.includes(part)).join(''));
          const answers = queries.map((query) => answerTo(query, NOWHERE)).filter((answer) => answer !== undefined);
          expect(answers).toEqual(parts.flatMap((part) => new Map(QUERIES).get(part) ?? []));
        },
      ),
    );
  });

  it('hold back no output for long', () => {
    const long = `${ESC}[${'1;'.repeat(5_000)}`;
    expect(filtered([long]).text).toBe(long);
  });
});

const MOVES = [
  'word ',
  'a line that is longer than the screen is wide',
  '日本語',
  '\r',
  '\n',
  '\r\n',
  '\b',
  '\t',
  ...['A', 'B', '3C', '2D', 'E', 'F', '5G', 'H', '3;4H', '99;99H', '2d', '2;4r', 'r', 'K', '31m'].map(
    (end) => `${ESC}[${end}`,
  ),
  ...['D', 'E', 'M'].map((end) => `${ESC}${end}`),
];

describe('the cursor of a terminal', () => {
  it('comes back to where it was saved', () => {
    for (const [save, restore] of [
      [`${ESC}7`, `${ESC}8`],
      [`${ESC}[s`, `${ESC}[u`],
      [`${ESC}[?1049h`, `${ESC}[?1049l`],
    ]) {
      const cursor = new Cursor({ cols: COLS, rows: ROWS });
      cursor.write(`${ESC}[2;3H${save}${ESC}[5;5Htext${restore}`);
      expect(cursor.position).toEqual({ row: 2, column: 3 });
    }
  });

  it('is where an emulator has it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { maxLength: 30 }), async (moves) => {
        const emulator = new xterm.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true });
        await new Promise<void>((resolve) => emulator.write(moves.join(''), resolve));
        const { cursorX, cursorY } = emulator.buffer.active;
        emulator.dispose();
        const cursor = new Cursor({ cols: COLS, rows: ROWS });
        for (const move of moves) cursor.write(move);
        const column = Math.min(cursorX, COLS - 1) + 1;
        expect(cursor.position).toEqual({ row: cursorY + 1, column });
      }),
      { numRuns: 300 },
    );
  });
});
