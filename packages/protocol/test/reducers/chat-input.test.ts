import { describe, expect, it } from 'vitest';
import type { ChatAction, ChatInputAnswer, ChatInputRequest, ChatState } from '../../src/index.js';
import { apply, NOW_ISO, onTheWire, withExtras } from '../support/reducing.js';
import { busyChat, callPart, chatState } from '../support/samples.js';

const text = (value: string): ChatInputAnswer => ({ state: 'draft', value: { kind: 'text', value } });
const requested = (request: ChatInputRequest): ChatAction => ({ type: 'chat/inputRequested', request });
const answered = (requestId: string, questionId: string, answer?: ChatInputAnswer): ChatAction => ({
  type: 'chat/inputAnswerChanged',
  requestId,
  questionId,
  ...(answer && { answer }),
});
const completed = (requestId: string): ChatAction => ({
  type: 'chat/inputCompleted',
  requestId,
  response: 'accept',
  answers: { q: text('ignored') },
});

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

describe('chat/inputRequested', () => {
  it('R-78 appends the request, asks for input, marks the chat unread and touches', () => {
    const before = busyChat([], { status: 8 + 32 + 64 });
    const request = withExtras({ id: 'r', message: 'Which?' });
    expect(after(before, requested(request))).toEqual({
      ...before,
      status: 24 + 64,
      modifiedAt: NOW_ISO,
      inputRequests: [request],
    });
  });

  it('R-49 asks for input even without an active turn', () => {
    expect(after(chatState(), requested({ id: 'r' })).status).toBe(24);
  });

  it('R-78 replaces a known request in place and keeps its answers', () => {
    const before = chatState({ inputRequests: [{ id: 'r', message: 'old', answers: { q: text('a') } }, { id: 's' }] });
    const state = after(before, requested({ id: 'r', url: 'https://example.com' }));
    expect(onTheWire(state.inputRequests)).toStrictEqual([
      { id: 'r', url: 'https://example.com', answers: { q: text('a') } },
      { id: 's' },
    ]);
  });

  it('R-78 takes the answers of the new request where it has some', () => {
    const before = chatState({ inputRequests: [{ id: 'r', answers: { q: text('a') } }] });
    expect(after(before, requested({ id: 'r', answers: {} })).inputRequests).toEqual([{ id: 'r', answers: {} }]);
  });
});

describe('chat/inputAnswerChanged', () => {
  const before = busyChat([], {
    status: 8,
    inputRequests: [{ id: 'other' }, withExtras({ id: 'r', answers: { q1: text('a'), q2: text('b') } })],
  });
  const answers = (state: ChatState) => state.inputRequests?.[1]?.answers;

  it('R-79 sets an answer, also to a question that the request does not have, and touches only the time', () => {
    const state = after(before, answered('r', 'q9', text('c')));
    expect(state).toEqual({
      ...before,
      modifiedAt: NOW_ISO,
      inputRequests: [
        { id: 'other' },
        withExtras({ id: 'r', answers: { q1: text('a'), q2: text('b'), q9: text('c') } }),
      ],
    });
  });

  it('R-79 replaces an answer', () => {
    const skipped: ChatInputAnswer = { state: 'skipped' };
    expect(answers(after(before, answered('r', 'q1', skipped)))).toEqual({ q1: skipped, q2: text('b') });
  });

  it('R-79 without an answer removes it, and the last one takes the member along', () => {
    const one = after(before, answered('r', 'q1'));
    expect(onTheWire(answers(one))).toStrictEqual({ q2: text('b') });
    expect(onTheWire(after(one, answered('r', 'q2')).inputRequests?.[1])).toStrictEqual(withExtras({ id: 'r' }));
  });

  it('R-79 gives the first answer to a request that has none', () => {
    const state = after(before, answered('other', 'q', text('x')));
    expect(state.inputRequests?.[0]).toEqual({ id: 'other', answers: { q: text('x') } });
  });

  it('R-79 is a no-op for an unknown request', () => {
    const idle = chatState();
    expect(after(before, answered('x', 'q', text('a')))).toBe(before);
    expect(after(idle, answered('x', 'q', text('a')))).toBe(idle);
  });
});

describe('chat/inputCompleted', () => {
  it('R-80 removes the request and keeps waiting for the others', () => {
    const before = busyChat([], { status: 24 + 32, inputRequests: [{ id: 'a' }, { id: 'b' }] });
    const state = after(before, completed('a'));
    expect(state).toEqual({ ...before, modifiedAt: NOW_ISO, inputRequests: [{ id: 'b' }] });
  });

  it('R-80 the last one ends the wait: in progress with a turn, idle without', () => {
    const inputRequests = [{ id: 'a' }];
    const working = after(busyChat([], { status: 24, inputRequests }), completed('a'));
    expect(working.status).toBe(8);
    expect(onTheWire(working)).not.toHaveProperty('inputRequests');
    expect(after(chatState({ status: 24, inputRequests }), completed('a')).status).toBe(1);
  });

  it('R-49 a call that waits for confirmation keeps the chat waiting', () => {
    const call = { toolCallId: 'c', toolName: '', displayName: '', invocationMessage: '' };
    const before = busyChat([callPart({ ...call, status: 'pending-confirmation' })], { inputRequests: [{ id: 'a' }] });
    expect(after(before, completed('a')).status).toBe(24);
  });

  it('R-80 is a no-op for an unknown request', () => {
    const before = chatState({ inputRequests: [{ id: 'a' }] });
    expect(after(before, completed('x'))).toBe(before);
  });
});
