import { describe, expect, it } from 'vitest';
import type { ActionOf, ChangesetState, ChannelKind, ChannelStates, ChatAction, ChatState } from '../../src/index.js';
import { reduceAll } from '../../src/index.js';
import { apply, env, withExtras } from '../support/reducing.js';
import {
  activeTurn,
  busyChat,
  callPart,
  changedFile,
  changesetState,
  chatState,
  markdown,
  reasoning,
  terminalState,
} from '../support/samples.js';

/**
 * Text, output and file upserts come by the thousand, so their reducers remember the state they made last. These tests
 * try to confuse that memory: it may save work, but never show in a result.
 */
const delta = (partId: string, content: string, turnId = 't'): ChatAction => ({
  type: 'chat/delta',
  turnId,
  partId,
  content,
});
const thought = (partId: string, content: string): ChatAction => ({
  type: 'chat/reasoning',
  turnId: 't',
  partId,
  content,
});
const set = (id: string, added: number): ActionOf<'changeset'> => ({
  type: 'changeset/fileSet',
  file: changedFile(id, added),
});
const data = (text: string): ActionOf<'terminal'> => ({ type: 'terminal/data', data: text });

const texts = (state: ChatState) =>
  state.activeTurn?.responseParts.map((part) => ('content' in part ? part.content : part.kind));
const files = (state: ChangesetState) => state.files.map((file) => `${file.id}${file.edit.diff?.added}`);

/** On a copy that is not frozen: `reduceAll` goes one by one where a run throws, which would hide a mutation. */
function batch<K extends ChannelKind>(kind: K, state: ChannelStates[K], ...actions: ActionOf<K>[]): ChannelStates[K] {
  const input = structuredClone({ state, actions });
  const text = JSON.stringify(input);
  const after = reduceAll(kind, input.state, input.actions, env);
  expect(JSON.stringify(input)).toBe(text);
  return after;
}

describe('appending text (R-62, R-63)', () => {
  const start = busyChat([markdown('p'), reasoning('q'), markdown('r')]);

  it('follows two chats that stream at the same time', () => {
    let one = start;
    let two = busyChat([reasoning('q'), markdown('p', '2:')]);
    for (const letter of ['a', 'b', 'c']) {
      one = apply('chat', one, delta('p', letter));
      two = apply('chat', two, delta('p', letter.toUpperCase()));
    }
    expect(texts(one)).toEqual(['abc', '', '']);
    expect(texts(two)).toEqual(['', '2:ABC']);
  });

  it('follows parts that take turns', () => {
    const state = apply('chat', start, delta('p', 'a'), thought('q', 'b'), delta('r', 'c'), delta('p', 'd'));
    expect(texts(state)).toEqual(['ad', 'b', 'c']);
  });

  it('goes on from an old state after newer ones', () => {
    const first = apply('chat', start, delta('p', 'a'));
    const second = apply('chat', first, delta('p', 'b'));
    const other = apply('chat', first, delta('p', 'x'), delta('p', 'y'));
    expect([first, second, other].map(texts)).toEqual([
      ['a', '', ''],
      ['ab', '', ''],
      ['axy', '', ''],
    ]);
  });

  it('remembers the id and not only the place: another part of the same state is found', () => {
    const first = apply('chat', start, delta('r', 'a'));
    expect(texts(apply('chat', first, delta('p', 'b')))).toEqual(['b', '', 'a']);
    expect(apply('chat', first, thought('r', 'c'))).toBe(first);
    expect(apply('chat', first, delta('nowhere', 'c'))).toBe(first);
  });

  it('notices that the turn is another one', () => {
    const first = apply('chat', start, delta('p', 'a'));
    expect(apply('chat', first, delta('p', 'b', 'x'))).toBe(first);
    const next = apply(
      'chat',
      { ...first, activeTurn: activeTurn('t', [markdown('r'), markdown('p')]) },
      delta('p', 'b'),
    );
    expect(texts(next)).toEqual(['', 'b']);
  });

  it('R-54 always takes the first of two parts with one id', () => {
    const twice = busyChat([markdown('p', '1:'), markdown('p', '2:')]);
    const once = apply('chat', twice, delta('p', 'a'));
    expect(texts(apply('chat', once, delta('p', 'b')))).toEqual(['1:ab', '2:']);
  });

  it.each([
    ['the part', busyChat([withExtras(markdown('p')), markdown('r')])],
    ['the turn', chatState({ activeTurn: withExtras(activeTurn('t', [markdown('p'), markdown('r')])) })],
    ['the chat', withExtras(busyChat([markdown('p'), markdown('r')]))],
  ])('R-7 keeps unknown members of %s, one by one and in a batch', (_, before) => {
    const actions = [delta('p', 'a'), delta('p', 'b'), delta('r', 'c'), delta('p', 'd')];
    const expected = {
      ...before,
      activeTurn: {
        ...before.activeTurn,
        responseParts: [{ ...before.activeTurn?.responseParts[0], content: 'abd' }, markdown('r', 'c')],
      },
    };
    expect(apply('chat', before, ...actions)).toEqual(expected);
    expect(batch('chat', before, ...actions)).toEqual(expected);
  });

  it('R-7 keeps unknown members of a part that comes after a plain one', () => {
    const before = busyChat([markdown('p'), withExtras(markdown('r'))]);
    const state = apply('chat', before, delta('p', 'a'), delta('r', 'b'), delta('p', 'c'), delta('r', 'd'));
    expect(state.activeTurn?.responseParts).toEqual([markdown('p', 'ac'), withExtras(markdown('r', 'bd'))]);
  });

  it('keeps every known member of chat and turn', () => {
    const full: ChatState = {
      ...busyChat([markdown('p')]),
      activity: 'typing',
      origin: { kind: 'user' },
      interactivity: 'full',
      movable: true,
      workingDirectories: ['file:///w'],
      changes: { files: 1 },
      changesets: [],
      backgroundWork: [],
      turnsNextCursor: '1',
      draft: { text: 'hm', origin: { kind: 'user' } },
      activeTurn: { ...activeTurn('t', [markdown('p')]), usage: { inputTokens: 1 } },
      steeringMessage: { id: 's', message: { text: '', origin: { kind: 'user' } } },
      queuedMessages: [],
      _meta: { a: 1 },
    };
    const expected = { ...full, activeTurn: { ...full.activeTurn, responseParts: [markdown('p', 'abcd')] } };
    const actions = [...'abcd'].map((letter) => delta('p', letter));
    expect(apply('chat', full, ...actions)).toEqual(expected);
    expect(batch('chat', full, ...actions)).toEqual(expected);
  });

  it('a batch drops what names no fitting part, and goes on after the run', () => {
    const call = callPart({ toolCallId: 'c', toolName: '', displayName: '', status: 'streaming' });
    const before = busyChat([markdown('p'), call, reasoning('q')]);
    const state = batch(
      'chat',
      before,
      delta('p', 'a'),
      delta('c', 'x'),
      delta('q', 'x'),
      thought('q', 'b'),
      delta('gone', 'x'),
      delta('p', 'c'),
      { type: 'chat/responsePart', turnId: 't', part: markdown('gone') },
      delta('gone', 'd'),
      delta('p', 'x', 'another turn'),
      delta('p', 'e'),
    );
    expect(texts(state)).toEqual(['ace', 'toolCall', 'b', 'd']);
  });

  it('a batch that changes nothing gives the same chat', () => {
    const actions = Array.from({ length: 9 }, () => delta('gone', 'x'));
    const idle = chatState();
    expect(reduceAll('chat', start, actions, env)).toBe(start);
    expect(reduceAll('chat', idle, actions, env)).toBe(idle);
  });

  it('a batch goes on after appends to another turn', () => {
    const actions = [delta('p', 'x', 'gone'), delta('p', 'a'), delta('p', 'x', 'gone'), delta('p', 'b')];
    expect(texts(batch('chat', start, ...actions))).toEqual(['ab', '', '']);
  });
});

describe('appending output (R-84)', () => {
  it('a batch is one text in the same part', () => {
    const state = batch('terminal', terminalState(), ...[...'abcdef'].map(data));
    expect(state.content).toEqual([{ type: 'unclassified', value: 'abcdef' }]);
  });

  it('a batch keeps unknown members and follows a command that begins and ends in it', () => {
    const before = withExtras(terminalState({ content: [withExtras({ type: 'unclassified', value: '$ ' })] }));
    const state = batch(
      'terminal',
      before,
      ...[...'abcd'].map(data),
      { type: 'terminal/commandExecuted', commandId: '1', commandLine: 'ls', timestamp: 1 },
      ...[...'efgh'].map(data),
      { type: 'terminal/commandFinished', commandId: '1', exitCode: 0 },
      ...[...'ijkl'].map(data),
    );
    expect(state).toMatchObject({ future: expect.anything(), supportsCommandDetection: true });
    expect(state.content).toMatchObject([
      withExtras({ type: 'unclassified', value: '$ abcd' }),
      { type: 'command', output: 'efgh', isComplete: true },
      { type: 'unclassified', value: 'ijkl' },
    ]);
  });

  it('goes on from an old state after newer ones', () => {
    const first = apply('terminal', terminalState(), data('a'));
    const second = apply('terminal', first, data('b'));
    const other = apply('terminal', first, data('x'));
    expect([first, second, other].map((state) => state.content)).toEqual(
      ['a', 'ab', 'ax'].map((value) => [{ type: 'unclassified', value }]),
    );
  });

  const command = {
    type: 'command',
    commandId: '1',
    commandLine: 'ls',
    output: '',
    timestamp: 1,
    isComplete: false,
  } as const;
  it.each([
    ['the terminal', withExtras(terminalState({ content: [command] }))],
    ['its text', terminalState({ content: [withExtras({ type: 'unclassified', value: '' })] })],
    ['its command', terminalState({ content: [withExtras(command)] })],
  ])('R-7 keeps unknown members of %s with every piece, also in turn with a terminal without them', (_, before) => {
    let plain = terminalState({ content: [command] });
    let state = before;
    for (const piece of ['a', 'b', 'c']) {
      plain = apply('terminal', plain, data(piece));
      state = apply('terminal', state, data(piece));
    }
    const member = before.content[0]?.type === 'command' ? 'output' : 'value';
    expect(state).toEqual({ ...before, content: [{ ...before.content[0], [member]: 'abc' }] });
    expect(plain.content).toEqual([{ ...command, output: 'abc' }]);
  });
});

describe('setting files (R-96)', () => {
  const start = changesetState({ files: [changedFile('a', 0), changedFile('b', 0)] });

  it('follows two changesets that change at the same time', () => {
    let one = start;
    let two = changesetState({ files: [changedFile('b', 0), changedFile('a', 0)] });
    for (const added of [1, 2, 3]) {
      one = apply('changeset', one, set('a', added), set(`new${added}`, added));
      two = apply('changeset', two, set('a', added * 10));
    }
    expect(files(one)).toEqual(['a3', 'b0', 'new11', 'new22', 'new33']);
    expect(files(two)).toEqual(['b0', 'a30']);
  });

  it('goes on from an old state after newer ones: what those added is not there', () => {
    const first = apply('changeset', start, set('a', 1), set('a', 2));
    const longer = apply('changeset', first, set('c', 1), set('d', 1), set('c', 2));
    const other = apply('changeset', first, set('d', 9), set('c', 9));
    expect([first, longer, other].map(files)).toEqual([
      ['a2', 'b0'],
      ['a2', 'b0', 'c2', 'd1'],
      ['a2', 'b0', 'd9', 'c9'],
    ]);
  });

  it('notices a removal, a new content and a clearing between two upserts', () => {
    const grown = apply('changeset', start, set('c', 1), set('c', 2));
    const removed = apply('changeset', grown, { type: 'changeset/fileRemoved', fileId: 'a' }, set('c', 3), set('a', 4));
    expect(files(removed)).toEqual(['b0', 'c3', 'a4']);
    const replaced = apply('changeset', grown, { type: 'changeset/contentChanged', files: [changedFile('c', 0)] });
    expect(files(apply('changeset', replaced, set('c', 5), set('a', 6)))).toEqual(['c5', 'a6']);
    const reviewed = apply('changeset', grown, {
      type: 'changeset/filesReviewChanged',
      files: ['b'],
      reviewed: true,
    });
    expect(files(apply('changeset', reviewed, set('c', 5), set('a', 6)))).toEqual(['a6', 'b0', 'c5']);
    expect(apply('changeset', reviewed, set('c', 5)).files[1]).toEqual({ ...changedFile('b', 0), reviewed: true });
    const cleared = apply('changeset', grown, { type: 'changeset/cleared' }, set('b', 7), set('b', 8));
    expect(files(cleared)).toEqual(['b8']);
  });

  it('replaces the first of two files with one id, again and again', () => {
    const twice = changesetState({ files: [changedFile('a', 1), changedFile('b', 0), changedFile('a', 2)] });
    const actions = [set('a', 3), set('a', 4), set('c', 5), set('a', 6)];
    expect(files(apply('changeset', twice, ...actions))).toEqual(['a6', 'b0', 'a2', 'c5']);
    expect(files(batch('changeset', twice, ...actions))).toEqual(['a6', 'b0', 'a2', 'c5']);
  });

  it('a batch keeps unknown members, and single upserts go on from it', () => {
    const before = withExtras(start);
    const state = batch('changeset', before, set('c', 1), set('b', 2), set('c', 3), set('d', 4));
    expect(state).toHaveProperty('future');
    expect(files(apply('changeset', state, set('d', 5), set('e', 6)))).toEqual(['a0', 'b2', 'c3', 'd5', 'e6']);
    expect(files(state)).toEqual(['a0', 'b2', 'c3', 'd4']);
  });

  it('finds files whose ids are names of object members', () => {
    const names = ['__proto__', 'constructor', 'toString', '__proto__'];
    const state = apply('changeset', changesetState(), ...names.map((name, index) => set(name, index)));
    expect(files(state)).toEqual(['__proto__3', 'constructor1', 'toString2']);
  });
});
