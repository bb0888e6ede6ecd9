import { reduce, type TerminalState } from '@moorage/protocol';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCROLLBACK_CHARS, SCROLLBACK_TRIM_CHARS } from '../../src/services/terminals/limits.js';
import { partChars, trimScrollback } from '../../src/services/terminals/scrollback.js';

/** More of them in `npm run test:faults`. */
const RUNS = Number(process.env.FAULTS_RUNS ?? 4);

const COLS = 80;
const ROWS = 24;
const ENV = { now: () => 0 };
const EMPTY: TerminalState = {
  title: '',
  content: [],
  claim: { kind: 'client', clientId: 'c' },
  lifecycle: { status: 'running' },
};

type Step = { readonly data: string } | { readonly command: string };

/** The host's state after these steps, trimmed whenever the host would. */
function trimmed(steps: readonly Step[]): TerminalState {
  let state = EMPTY;
  let kept = 0;
  for (const [index, step] of steps.entries()) {
    if ('data' in step) state = reduce('terminal', state, { type: 'terminal/data', data: step.data }, ENV);
    else {
      const commandId = `c${index}`;
      const started = { type: 'terminal/commandExecuted', commandId, commandLine: step.command, timestamp: 0 } as const;
      state = reduce('terminal', state, { type: 'terminal/commandFinished', commandId: `c${index - 1}` }, ENV);
      state = reduce('terminal', state, started, ENV);
    }
    kept += 'data' in step ? step.data.length : step.command.length + 128;
    if (kept <= SCROLLBACK_TRIM_CHARS) continue;
    state = trimScrollback(state);
    kept = size(state);
  }
  return state;
}

const size = ({ content }: TerminalState) => content.reduce((sum, part) => sum + partChars(part), 0);
const textOf = ({ content }: TerminalState) =>
  content.map((part) => (part.type === 'command' ? part.output : part.value)).join('');

/** What a person sees: the screen with its colours, the lines above it, and where the cursor is. */
async function rendered(text: string, linesAbove: number) {
  const terminal = new xterm.Terminal({ cols: COLS, rows: ROWS, scrollback: 100_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active, normal } = terminal.buffer;
  const lines = (buffer: typeof active, count: number) =>
    Array.from({ length: Math.min(buffer.length, count) }, (_, index) => {
      const line = buffer.getLine(buffer.length - 1 - index);
      let text = '';
      for (let column = 0; column < COLS; column++) {
        const cell = line?.getCell(column);
        const style = `${cell?.getFgColor()},${cell?.getBgColor()},${cell?.isBold()},${cell?.isInverse()}`;
        text += `${cell?.getChars() || ' '}<${style}>`;
      }
      return text;
    });
  const { bracketedPasteMode, applicationCursorKeysMode, mouseTrackingMode, wraparoundMode } = terminal.modes;
  const shown = {
    type: active.type,
    screen: lines(active, active.type === 'normal' ? ROWS + linesAbove : ROWS),
    below: lines(normal, ROWS),
    cursor: [active.cursorX, active.cursorY],
    modes: { bracketedPasteMode, applicationCursorKeysMode, mouseTrackingMode, wraparoundMode },
  };
  terminal.dispose();
  return shown;
}

async function expectSame(steps: readonly Step[], linesAbove: number): Promise<TerminalState> {
  const state = trimmed(steps);
  const all = steps.map((step) => ('data' in step ? step.data : '')).join('');
  expect(await rendered(textOf(state), linesAbove)).toEqual(await rendered(all, linesAbove));
  return state;
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\r\n`).join('');

describe('the scrollback of a terminal', () => {
  it('stays within its budget and shows late subscribers the same screen', async () => {
    const steps = Array.from({ length: 60 }, (_, step) => ({
      data: lines(1000, (index) => `line ${step * 1000 + index} \x1b[3${index % 8}mcoloured\x1b[0m and on`),
    }));
    const state = await expectSame(steps, 1000);
    expect(size(state)).toBeLessThanOrEqual(SCROLLBACK_TRIM_CHARS);
    expect(size(state)).toBeGreaterThan(SCROLLBACK_CHARS - 100_000);
  });

  it('keeps colours and modes that were set in output already dropped', async () => {
    const start = '\x1b[?2004h\x1b[?1h\x1b=\x1b[?1000h\x1b[1;38;5;200;48;2;1;2;3m\x1b[7mstays\r\n';
    await expectSame(
      [{ data: start + lines(30_000, (index) => `line ${index} of a long text, without any colour`) }],
      500,
    );
    await expectSame(
      [{ data: `${start}\x1b[27;39m` }, { data: lines(40_000, (index) => `and another text, ${index}, much like it`) }],
      500,
    );
  });

  it('drops whole commands first, and keeps the state they left', async () => {
    const steps = Array.from({ length: 400 }, (_, index): Step[] => [
      { command: `command ${index}` },
      { data: lines(100, (line) => `output ${line} of command ${index} \x1b[4${index % 8}m`) },
    ]).flat();
    const state = await expectSame(steps, 500);
    expect(state.content.length).toBeLessThan(400);
    const many = trimmed(Array.from({ length: 3000 }, (_, index) => ({ command: `c${index} ${'x'.repeat(800)}` })));
    expect(size(many)).toBeLessThanOrEqual(SCROLLBACK_TRIM_CHARS);
    expect(many.content.at(-1)).toMatchObject({ commandLine: expect.stringMatching(/^c2999 /) });
  });

  const frame = (index: number) =>
    `\x1b[2J\x1b[H${lines(ROWS - 1, (row) => `\x1b[3${(index + row) % 8}mframe ${index} row ${row} ${'x'.repeat(40)}`)}`;
  const frames = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index): Step => ({ data: frame(from + index) }));

  it('keeps the normal screen below a full-screen program that runs for long', async () => {
    const before: Step[] = [{ data: lines(50, (index) => `before ${index}`) }, { command: 'top' }];
    const inside = await expectSame([...before, { data: '\x1b[?1049h\x1b[?25l' }, ...frames(2000)], 0);
    expect(textOf(inside)).toContain('before 49');
    const partly = { data: '\x1b[5;5Honly here' };
    await expectSame([...before, { data: '\x1b[?1049h' }, ...frames(2000), partly], 0);
    const after = [{ data: '\x1b[?25h\x1b[?1049l' }, { data: lines(5, (index) => `after ${index}`) }];
    await expectSame([...before, { data: '\x1b[?1049h' }, ...frames(2000), ...after], 40);
  });

  it('is cut even without a good place, but never inside a character or a sequence', async () => {
    const junk = [
      { data: 'x'.repeat(3_000_000) },
      { data: '😀'.repeat(1_000_000) },
      { data: `\x1b]52;c;${'A'.repeat(3_000_000)}` },
      { data: '\x1b['.repeat(1_000_000) },
      { data: '\x1b[1;'.repeat(600_000) },
      { data: '\x1b'.repeat(2_000_000) },
      { data: '\x1b[31;1m'.repeat(400_000) },
    ];
    for (const step of junk) {
      const state = trimmed([step]);
      expect(size(state)).toBeLessThanOrEqual(SCROLLBACK_TRIM_CHARS);
      expect(() => encodeURIComponent(textOf(state))).not.toThrow(); // it would of half a character
    }
    // An endless sequence shows nothing, cut or not.
    const endless = trimmed([{ data: `\x1b]52;c;${'A'.repeat(3_000_000)}` }, { data: '\x07end' }]);
    const { screen } = await rendered(textOf(endless), 0);
    expect(screen.join('')).not.toContain('A');
    expect(screen.join('')).toContain('e<');
  });

  it('renders the same for random output', async () => {
    const word = fc.constantFrom('alpha', 'beta', 'ü', '漢字', '😀', '\t', ' ');
    const style = fc.constantFrom(
      '\x1b[1m',
      '\x1b[0m',
      '\x1b[31m',
      '\x1b[48;5;99m',
      '\x1b[38:2::1:2:3m',
      '\x1b[7m',
      '\x1b[22;27m',
    );
    const mode = fc.constantFrom(
      '\x1b[?2004h',
      '\x1b[?2004l',
      '\x1b[?1h',
      '\x1b[?7l',
      '\x1b[?7h',
      '\x1b(0',
      '\x1b(B',
      '\x0e',
      '\x0f',
    );
    const line = fc.array(fc.oneof({ weight: 8, arbitrary: word }, { weight: 3, arbitrary: style }, mode), {
      maxLength: 20,
    });
    const block = fc.tuple(line, fc.integer({ min: 1, max: 400 }));
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 40, maxLength: 60 }), async (blocks) => {
        const steps = blocks.map(([words, count]): Step => ({ data: `${words.join('')}\r\n`.repeat(count * 4) }));
        await expectSame(steps, 100);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
