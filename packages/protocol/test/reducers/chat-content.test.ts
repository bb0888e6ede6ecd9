import { expect, it } from 'vitest';
import type { ChatAction, ChatState } from '../../src/index.js';
import { apply, foreign, withExtras } from '../support/reducing.js';
import { activeTurn, busyChat, callPart, chatState, finishedTurn, markdown, reasoning } from '../support/samples.js';

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

const delta = (partId: string, content: string, turnId = 't'): ChatAction => ({
  type: 'chat/delta',
  turnId,
  partId,
  content,
});
const thought = (partId: string, content: string, turnId = 't'): ChatAction => ({
  type: 'chat/reasoning',
  turnId,
  partId,
  content,
});
const parts = (state: ChatState) => state.activeTurn?.responseParts;

it('R-61 chat/responsePart appends the part as it is, also one with a known id or an unknown kind', () => {
  const before = busyChat([markdown('p', 'a')], { status: 2 });
  const hologram = foreign<ReturnType<typeof markdown>>({ kind: 'hologram', depth: 3 });
  const state = after(
    before,
    { type: 'chat/responsePart', turnId: 't', part: withExtras(markdown('p', 'b')) },
    { type: 'chat/responsePart', turnId: 't', part: hologram },
  );
  const expected = [markdown('p', 'a'), withExtras(markdown('p', 'b')), hologram];
  expect(state).toEqual({ ...before, activeTurn: activeTurn('t', expected) });
});

it('R-62 chat/delta appends to a markdown part, without status or time', () => {
  const before = busyChat([markdown('p', 'a'), markdown('q', 'z')], { status: 2 });
  const state = after(before, delta('p', 'b'), delta('p', 'c'));
  expect(state).toEqual({ ...before, activeTurn: activeTurn('t', [markdown('p', 'abc'), markdown('q', 'z')]) });
  expect(parts(state)?.[1]).toBe(parts(before)?.[1]);
});

it('R-63 chat/reasoning appends to a reasoning part', () => {
  expect(parts(after(busyChat([reasoning('p', 'a')]), thought('p', 'b')))).toEqual([reasoning('p', 'ab')]);
});

it('R-62 chat/delta does nothing to a reasoning part, nor chat/reasoning to a markdown part', () => {
  const before = busyChat([reasoning('p', 'a'), markdown('q', 'b')]);
  expect(after(before, delta('p', 'x'))).toBe(before);
  expect(after(before, thought('q', 'x'))).toBe(before);
});

it('R-54 appends to the first of two parts with one id', () => {
  const before = busyChat([markdown('p', 'a'), markdown('p', 'b')]);
  expect(parts(after(before, delta('p', '!')))).toEqual([markdown('p', 'a!'), markdown('p', 'b')]);
});

it('R-54 does not try a later part when the first match has the wrong kind', () => {
  const call = callPart({ toolCallId: 'p', toolName: '', displayName: '', status: 'streaming' });
  const before = busyChat([call, markdown('p', 'a'), reasoning('q'), markdown('q', 'b')]);
  expect(after(before, delta('p', '!'))).toBe(before);
  expect(after(before, delta('q', '!'))).toBe(before);
});

it('R-54 passes over parts without an id', () => {
  const before = busyChat([
    { kind: 'contentRef', uri: 'file:///x' },
    { kind: 'systemNotification', content: 'compacted' },
    markdown('p', 'a'),
  ]);
  expect(parts(after(before, delta('p', '!')))?.[2]).toEqual(markdown('p', 'a!'));
});

it('R-64 chat/usage replaces the usage of the active turn', () => {
  const before = busyChat([], { activeTurn: { ...activeTurn('t'), usage: { inputTokens: 5, outputTokens: 6 } } });
  const state = after(before, { type: 'chat/usage', turnId: 't', usage: { inputTokens: 9 } });
  expect(state).toEqual({ ...before, activeTurn: { ...activeTurn('t'), usage: { inputTokens: 9 } } });
});

it.each<[string, ChatAction]>([
  ['chat/responsePart', { type: 'chat/responsePart', turnId: 'x', part: markdown('p') }],
  ['chat/delta', delta('p', 'b', 'x')],
  ['chat/reasoning', thought('q', 'b', 'x')],
  ['chat/usage', { type: 'chat/usage', turnId: 'x', usage: {} }],
])('R-52 %s is a no-op for another turn or none', (_, action) => {
  const other = busyChat([markdown('p', 'a'), reasoning('q', 'a')]);
  const idle = chatState({ turns: [finishedTurn('x')] });
  expect(after(other, action)).toBe(other);
  expect(after(idle, action)).toBe(idle);
});
