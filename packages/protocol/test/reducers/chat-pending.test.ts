import { describe, expect, it } from 'vitest';
import type { ChatAction, ChatState, PendingMessage } from '../../src/index.js';
import { apply, foreign, onTheWire } from '../support/reducing.js';
import { busyChat, chatState, message } from '../support/samples.js';

type Kind = 'steering' | 'queued';
const pending = (id: string, text = id): PendingMessage => ({ id, message: message(text) });
const set = (kind: Kind, id: string, text = id): ChatAction => ({
  type: 'chat/pendingMessageSet',
  kind,
  id,
  message: message(text),
});
const removed = (kind: Kind, id: string): ChatAction => ({ type: 'chat/pendingMessageRemoved', kind, id });
const reordered = (...order: string[]): ChatAction => ({ type: 'chat/queuedMessagesReordered', order });

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

function queue(...ids: string[]): ChatState {
  return busyChat([], { status: 8 + 32, queuedMessages: ids.map((id) => pending(id)) });
}

const ids = (state: ChatState) => state.queuedMessages?.map(({ id }) => id);

describe('chat/pendingMessageSet', () => {
  it('R-81 steering replaces whatever was there', () => {
    const before = chatState({ steeringMessage: pending('a'), queuedMessages: [pending('a')] });
    expect(after(before, set('steering', 'b'))).toEqual({ ...before, steeringMessage: pending('b') });
  });

  it('R-81 a queued one is appended, replaced in place, or begins the queue', () => {
    expect(after(queue('a'), set('queued', 'b')).queuedMessages).toEqual([pending('a'), pending('b')]);
    const changed = after(queue('a', 'b'), set('queued', 'a', 'changed'));
    expect(changed.queuedMessages).toEqual([pending('a', 'changed'), pending('b')]);
    expect(after(chatState(), set('queued', 'a')).queuedMessages).toEqual([pending('a')]);
  });

  it('R-81 an unknown kind is queued', () => {
    const action = foreign<ChatAction>({ ...set('queued', 'a'), kind: 'someday' });
    expect(ids(after(chatState(), action))).toEqual(['a']);
  });

  it('R-81 stores id and message only', () => {
    const action = foreign<ChatAction>({ ...set('queued', 'a'), priority: 9 });
    expect(after(chatState(), action).queuedMessages).toEqual([pending('a')]);
  });

  it('6.7 changes neither status nor time', () => {
    const before = queue();
    expect(after(before, set('queued', 'a'))).toEqual({ ...before, queuedMessages: [pending('a')] });
  });
});

describe('chat/pendingMessageRemoved', () => {
  it('R-82 removes the steering message with that id only', () => {
    const before = chatState({ steeringMessage: pending('a'), queuedMessages: [pending('a')] });
    expect(onTheWire(after(before, removed('steering', 'a')))).toStrictEqual(
      chatState({ queuedMessages: [pending('a')] }),
    );
    expect(after(before, removed('steering', 'b'))).toBe(before);
  });

  it('R-82 removes from the queue, and the queue itself when it becomes empty', () => {
    expect(ids(after(queue('a', 'b', 'c'), removed('queued', 'b')))).toEqual(['a', 'c']);
    expect(onTheWire(after(queue('a'), removed('queued', 'a')))).not.toHaveProperty('queuedMessages');
  });

  it.each([
    ['an unknown id', queue('a')],
    ['an empty queue', queue()],
    ['no queue', chatState({ steeringMessage: pending('x') })],
  ])('R-82 is a no-op for %s', (_, before) => {
    expect(after(before, removed('queued', 'x'))).toBe(before);
  });
});

describe('chat/queuedMessagesReordered', () => {
  it.each([
    ['all', ['c', 'a', 'b'], ['c', 'a', 'b']],
    ['some: the rest follow as they stood', ['c'], ['c', 'a', 'b']],
    ['none', [], ['a', 'b', 'c']],
    ['unknown and repeated ids, which are skipped', ['x', 'b', 'b', 'a', 'b'], ['b', 'a', 'c']],
  ])('R-83 orders %s', (_, order, expected) => {
    expect(ids(after(queue('a', 'b', 'c'), reordered(...order)))).toEqual(expected);
  });

  it('R-83 never loses a message, even where two share an id', () => {
    const before = chatState({ queuedMessages: [pending('a', '1'), pending('b'), pending('a', '2')] });
    const texts = (state: ChatState) => state.queuedMessages?.map((entry) => entry.message.text);
    expect(texts(after(before, reordered('b')))).toEqual(['b', '1', '2']);
    expect(texts(after(before, reordered('b', 'a')))?.sort()).toEqual(['1', '2', 'b']);
  });

  it('R-83 is a no-op without a queue', () => {
    const before = chatState();
    expect(after(before, reordered('a'))).toBe(before);
  });
});
