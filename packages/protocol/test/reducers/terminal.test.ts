import { describe, expect, it } from 'vitest';
import type { TerminalAction, TerminalCommandPart, TerminalState } from '../../src/index.js';
import { apply, foreign, onTheWire, withExtras } from '../support/reducing.js';
import { terminalState } from '../support/samples.js';

const data = (text: string): TerminalAction => ({ type: 'terminal/data', data: text });

function after(state: TerminalState, ...actions: TerminalAction[]): TerminalState {
  return apply('terminal', state, ...actions);
}

function command(commandId: string, over: Partial<TerminalCommandPart> = {}): TerminalCommandPart {
  return { type: 'command', commandId, commandLine: 'ls', output: '', timestamp: 5, isComplete: false, ...over };
}

describe('terminal/data', () => {
  it('R-84 begins an unclassified part in an empty terminal and goes on with it', () => {
    const state = after(terminalState(), data('one '), data('two'));
    expect(state.content).toEqual([{ type: 'unclassified', value: 'one two' }]);
  });

  it('R-84 belongs to the running command at the end', () => {
    const state = after(terminalState({ content: [command('1', { output: 'a' })] }), data('b'));
    expect(state.content).toEqual([command('1', { output: 'ab' })]);
  });

  it('R-84 begins a new part after a completed command', () => {
    const done = command('1', { isComplete: true, exitCode: 0 });
    const state = after(terminalState({ content: [done] }), data('$ '), data('x'));
    expect(state.content).toEqual([done, { type: 'unclassified', value: '$ x' }]);
  });

  it('R-84 begins a new part after one of a type that a later version added', () => {
    const image = foreign<TerminalCommandPart>({ type: 'image', uri: 'file:///x.png' });
    const state = after(terminalState({ content: [image] }), data('x'));
    expect(state.content).toEqual([image, { type: 'unclassified', value: 'x' }]);
  });

  it('R-84 an empty text may create an empty part', () => {
    expect(after(terminalState(), data('')).content).toEqual([{ type: 'unclassified', value: '' }]);
  });

  it('R-84 leaves the parts before the last alone', () => {
    const before = terminalState({ content: [command('1'), { type: 'unclassified', value: 'a' }] });
    expect(after(before, data('b')).content[0]).toBe(before.content[0]);
  });

  it('R-7 keeps unknown members of the state and of the part, in every form of the tail', () => {
    const text = withExtras({ type: 'unclassified' as const, value: 'a' });
    expect(after(withExtras(terminalState({ content: [text] })), data('b'))).toEqual(
      withExtras(terminalState({ content: [{ ...text, value: 'ab' }] })),
    );
    expect(after(terminalState({ content: [text] }), data('b')).content).toEqual([{ ...text, value: 'ab' }]);
    const running = withExtras(command('1'));
    expect(after(terminalState({ content: [running] }), data('b')).content).toEqual([{ ...running, output: 'b' }]);
  });

  it('R-84 keeps every known member of the state', () => {
    const full: TerminalState = {
      title: 'zsh',
      cwd: 'file:///tmp',
      cols: 80,
      rows: 24,
      content: [],
      lifecycle: { status: 'exited', exitCode: 3 },
      claim: { kind: 'session', session: 'ahp-session:/s', chat: 'ahp-chat:/c' },
      supportsCommandDetection: true,
      isPty: true,
    };
    expect(after(full, data('x'))).toEqual({ ...full, content: [{ type: 'unclassified', value: 'x' }] });
  });
});

describe('terminal/input', () => {
  it('R-85 is a no-op: what it causes comes back as data', () => {
    const before = terminalState();
    expect(after(before, { type: 'terminal/input', data: 'ls\n' })).toBe(before);
  });
});

describe('what the action names is stored', () => {
  const exited = terminalState({ lifecycle: { status: 'exited', exitCode: 1 }, cols: 1, rows: 1 });

  it('R-86 terminal/resized', () => {
    const state = after(exited, { type: 'terminal/resized', cols: 120, rows: 40 });
    expect(state).toEqual({ ...exited, cols: 120, rows: 40 });
  });

  it('R-87 terminal/claimed replaces the claim as a whole', () => {
    const held = terminalState({ claim: { kind: 'session', session: 's', chat: 'c', turnId: 't', toolCallId: 'x' } });
    const claim = { kind: 'session' as const, session: 's', chat: 'c' };
    expect(after(held, { type: 'terminal/claimed', claim })).toEqual(terminalState({ claim }));
  });

  it('R-88 terminal/titleChanged', () => {
    expect(after(exited, { type: 'terminal/titleChanged', title: 'vim' })).toEqual({ ...exited, title: 'vim' });
  });

  it('R-89 terminal/cwdChanged', () => {
    expect(after(exited, { type: 'terminal/cwdChanged', cwd: 'file:///x' })).toEqual({ ...exited, cwd: 'file:///x' });
  });

  it('R-90 terminal/exited leaves open commands incomplete', () => {
    const before = terminalState({ content: [command('1')] });
    expect(after(before, { type: 'terminal/exited', exitCode: 130 })).toEqual({
      ...before,
      lifecycle: { status: 'exited', exitCode: 130 },
    });
  });

  it('R-90 terminal/exited without a code clears an old one', () => {
    expect(onTheWire(after(exited, { type: 'terminal/exited' }).lifecycle)).toStrictEqual({ status: 'exited' });
  });

  it('R-92 terminal/commandDetectionAvailable', () => {
    const state = after(exited, { type: 'terminal/commandDetectionAvailable' });
    expect(state).toEqual({ ...exited, supportsCommandDetection: true });
  });
});

describe('terminal/cleared', () => {
  it('R-91 empties the content and keeps the rest', () => {
    const before = terminalState({ content: [command('1')], supportsCommandDetection: true, isPty: true });
    expect(after(before, { type: 'terminal/cleared' })).toEqual({ ...before, content: [] });
  });

  it('R-91 the later output of a command that was running becomes unclassified', () => {
    const state = after(terminalState({ content: [command('1')] }), { type: 'terminal/cleared' }, data('late'));
    expect(state.content).toEqual([{ type: 'unclassified', value: 'late' }]);
  });
});

describe('terminal/commandExecuted', () => {
  it('R-93 appends a running command with the time of the action, and turns detection on', () => {
    const before = terminalState({ content: [command('1')] });
    const state = after(before, {
      type: 'terminal/commandExecuted',
      commandId: '2',
      commandLine: 'make',
      timestamp: 42,
    });
    expect(state).toEqual({
      ...before,
      content: [command('1'), command('2', { commandLine: 'make', timestamp: 42 })],
      supportsCommandDetection: true,
    });
  });
});

describe('terminal/commandFinished', () => {
  it('R-94 completes every part with that id and keeps its other members', () => {
    const before = terminalState({ content: [withExtras(command('1')), command('2'), command('1', { output: 'x' })] });
    const state = after(before, { type: 'terminal/commandFinished', commandId: '1', exitCode: 2, durationMs: 30 });
    const done = { isComplete: true, exitCode: 2, durationMs: 30 };
    expect(state.content).toEqual([
      withExtras(command('1', done)),
      command('2'),
      command('1', { ...done, output: 'x' }),
    ]);
    expect(state.content[1]).toBe(before.content[1]);
  });

  it('R-94 without code and duration clears old ones', () => {
    const before = terminalState({ content: [command('1', { exitCode: 1, durationMs: 9 })] });
    const state = after(before, { type: 'terminal/commandFinished', commandId: '1' });
    expect(state.content).toEqual([command('1', { isComplete: true })]);
  });

  it('R-94 is a no-op for an unknown command', () => {
    const before = terminalState({ content: [command('1')] });
    expect(after(before, { type: 'terminal/commandFinished', commandId: 'x' })).toBe(before);
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = terminalState();
  expect(after(before, foreign({ type: 'terminal/bell' }))).toBe(before);
});
