import { describe, expect, it } from 'vitest';
import {
  type ChatAction,
  type ChatInputAnswer,
  type ChatInputRequest,
  type ChatState,
  openRequests,
} from '../../src/index.js';
import { apply, onTheWire, withExtras } from '../support/reducing.js';
import { busyChat, callPart, chatState, markdown, requestPart } from '../support/samples.js';

const text = (value: string): ChatInputAnswer => ({ state: 'draft', value: { kind: 'text', value } });
const requested = (request: ChatInputRequest): ChatAction => ({ type: 'chat/inputRequested', request });
const answered = (requestId: string, questionId: string, answer?: ChatInputAnswer): ChatAction => ({
  type: 'chat/inputAnswerChanged',
  requestId,
  questionId,
  ...(answer && { answer }),
});
const completed = (requestId: string, answers?: Record<string, ChatInputAnswer>): ChatAction => ({
  type: 'chat/inputCompleted',
  requestId,
  response: 'accept',
  ...(answers && { answers }),
});

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

/** The parts of the active turn after some actions, as a peer would read them. */
function partsAfter(state: ChatState, ...actions: ChatAction[]): unknown {
  return onTheWire(after(state, ...actions).activeTurn?.responseParts);
}

describe('chat/inputRequested', () => {
  it('R-78 appends the request to the turn, asks for input and marks the chat unread', () => {
    const before = busyChat([markdown('p')], { status: 8 + 32 + 64 });
    const request = withExtras({ id: 'r', message: 'Which?' });
    const state = after(before, requested(request));
    expect(state).toEqual({ ...before, status: 24 + 64, activeTurn: state.activeTurn });
    expect(state.activeTurn?.responseParts).toEqual([markdown('p'), requestPart(request)]);
    expect(openRequests(state)).toEqual([request]);
  });

  it('is a no-op without an active turn', () => {
    const idle = chatState();
    expect(after(idle, requested({ id: 'r' }))).toBe(idle);
  });

  it('R-78 replaces an open request in place and keeps its answers', () => {
    const open = requestPart({ id: 'r', message: 'old', answers: { q: text('a') } });
    const before = busyChat([open, markdown('p')]);
    expect(partsAfter(before, requested({ id: 'r', url: 'https://example.com' }))).toStrictEqual([
      requestPart({ id: 'r', url: 'https://example.com', answers: { q: text('a') } }),
      markdown('p'),
    ]);
  });

  it('R-78 takes the answers of the new request where it has some', () => {
    const before = busyChat([requestPart({ id: 'r', answers: { q: text('a') } })]);
    expect(partsAfter(before, requested({ id: 'r', answers: {} }))).toEqual([requestPart({ id: 'r', answers: {} })]);
  });

  it('asks anew where a request with that id was answered', () => {
    const old = requestPart({ id: 'r' }, 'decline');
    expect(partsAfter(busyChat([old]), requested({ id: 'r' }))).toEqual([old, requestPart({ id: 'r' })]);
  });
});

describe('chat/inputAnswerChanged', () => {
  const before = busyChat(
    [
      requestPart({ id: 'other' }),
      withExtras(requestPart(withExtras({ id: 'r', answers: { q1: text('a'), q2: text('b') } }))),
    ],
    { status: 24 },
  );
  const answers = (state: ChatState) => openRequests(state)[1]?.answers;

  it('R-79 sets an answer, also to a question that the request does not have, and nothing else', () => {
    const state = after(before, answered('r', 'q9', text('c')));
    expect(state).toEqual({ ...before, activeTurn: state.activeTurn });
    expect(state.activeTurn?.responseParts).toEqual([
      requestPart({ id: 'other' }),
      withExtras(requestPart(withExtras({ id: 'r', answers: { q1: text('a'), q2: text('b'), q9: text('c') } }))),
    ]);
  });

  it('R-79 replaces an answer', () => {
    const skipped: ChatInputAnswer = { state: 'skipped' };
    expect(answers(after(before, answered('r', 'q1', skipped)))).toEqual({ q1: skipped, q2: text('b') });
  });

  it('R-79 without an answer removes it, and the last one takes the member along', () => {
    const one = after(before, answered('r', 'q1'));
    expect(onTheWire(answers(one))).toStrictEqual({ q2: text('b') });
    expect(onTheWire(openRequests(after(one, answered('r', 'q2')))[1])).toStrictEqual(withExtras({ id: 'r' }));
  });

  it('R-79 gives the first answer to a request that has none', () => {
    const state = after(before, answered('other', 'q', text('x')));
    expect(openRequests(state)[0]).toEqual({ id: 'other', answers: { q: text('x') } });
  });

  it('keeps an answer to a question called __proto__', () => {
    const state = after(before, answered('other', '__proto__', text('x')));
    expect(Object.entries(openRequests(state)[0]?.answers ?? {})).toEqual([['__proto__', text('x')]]);
  });

  it('R-79 is a no-op for an unknown request, an answered one and without a turn', () => {
    const idle = chatState();
    const done = busyChat([requestPart({ id: 'r' }, 'accept')]);
    expect(after(before, answered('x', 'q', text('a')))).toBe(before);
    expect(after(done, answered('r', 'q', text('a')))).toBe(done);
    expect(after(idle, answered('x', 'q', text('a')))).toBe(idle);
  });
});

describe('chat/inputCompleted', () => {
  it('R-80 keeps the request with what was answered, and waits for the others', () => {
    const before = busyChat([requestPart({ id: 'a' }), requestPart({ id: 'b' })], { status: 24 + 32 });
    const state = after(before, completed('a'));
    expect(onTheWire(state.activeTurn?.responseParts)).toStrictEqual([
      requestPart({ id: 'a' }, 'accept'),
      requestPart({ id: 'b' }),
    ]);
    expect([state.status, openRequests(state)]).toEqual([24 + 32, [{ id: 'b' }]]);
  });

  it('R-80 the answers that come with it count, those that were there stay', () => {
    const before = busyChat([requestPart({ id: 'a', answers: { p: text('kept'), q: text('old') } })]);
    expect(partsAfter(before, completed('a', { q: text('new') }))).toStrictEqual([
      requestPart({ id: 'a', answers: { p: text('kept'), q: text('new') } }, 'accept'),
    ]);
  });

  it('R-80 the last one ends the wait', () => {
    expect(after(busyChat([requestPart({ id: 'a' })], { status: 24 }), completed('a')).status).toBe(8);
  });

  it('R-49 a call that waits for confirmation keeps the chat waiting', () => {
    const call = { toolCallId: 'c', toolName: '', displayName: '', invocationMessage: '' };
    const before = busyChat([callPart({ ...call, status: 'pending-confirmation' }), requestPart({ id: 'a' })]);
    expect(after(before, completed('a')).status).toBe(24);
  });

  it('R-80 is a no-op for an unknown request and for an answered one', () => {
    const before = busyChat([requestPart({ id: 'a' }, 'decline')]);
    expect(after(before, completed('x'))).toBe(before);
    expect(after(before, completed('a'))).toBe(before);
  });
});
