import { describe, expect, it } from 'vitest';
import type { ChatAction, ChatState, Turn } from '../../src/index.js';
import { apply, foreign, onTheWire, withExtras } from '../support/reducing.js';
import {
  activeTurn,
  busyChat,
  callPart,
  chatState,
  error,
  finishedTurn,
  markdown,
  message,
  reasoning,
  requestPart,
} from '../support/samples.js';

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

const START = '2026-01-02T03:04:05.678Z';

const started = (turnId: string, queuedMessageId?: string): ChatAction => ({
  type: 'chat/turnStarted',
  turnId,
  startedAt: START,
  message: message('go'),
  ...(queuedMessageId !== undefined && { queuedMessageId }),
});

describe('chat/turnStarted', () => {
  it('R-56 opens an empty turn, makes the chat busy and unread, and changed when the turn began', () => {
    const before = chatState({ status: 1 + 32 + 64, turns: [finishedTurn('t0')] });
    expect(onTheWire(after(before, started('t1')))).toStrictEqual({
      ...before,
      status: 8 + 64,
      modifiedAt: START,
      activeTurn: { id: 't1', startedAt: START, message: message('go'), responseParts: [] },
    });
  });

  it('R-56 overwrites an active turn without archiving it, and stores no _meta', () => {
    const before = busyChat([markdown('p', 'lost')]);
    const state = after(before, { ...started('t2'), ...{ _meta: { a: 1 } } });
    expect(state.turns).toEqual([]);
    expect(state.activeTurn).toEqual({ id: 't2', startedAt: START, message: message('go'), responseParts: [] });
  });

  it('R-49 what the turn before it asked does not keep the chat waiting', () => {
    const before = busyChat([requestPart({ id: 'r' })], { status: 24 });
    expect(after(before, started('t1')).status).toBe(8);
  });

  it('R-49 ends the status Error', () => {
    expect(after(chatState({ status: 2 }), started('t1')).status).toBe(8);
  });

  it('R-21, OQ-27 keeps unknown bits up to bit 31, unsigned', () => {
    const before = chatState({ status: 2 ** 31 + 512 + 32 + 1 });
    expect(after(before, started('t1')).status).toBe(2 ** 31 + 512 + 8);
  });

  it('R-17 does not mind a state without status and time', () => {
    const bare = foreign<ChatState>({ resource: 'copilot:/c', title: '', turns: [] });
    expect(after(bare, started('t1'))).toMatchObject({ status: 8, modifiedAt: START, activeTurn: { id: 't1' } });
  });

  describe('with a pending message', () => {
    const pending = (id: string) => ({ id, message: message(id) });
    const before = chatState({
      steeringMessage: pending('s'),
      queuedMessages: [pending('a'), pending('b'), pending('a')],
    });

    it('R-56 takes every queued message with that id, and keeps the rest', () => {
      const state = after(before, started('t', 'a'));
      expect(state.queuedMessages).toEqual([pending('b')]);
      expect(state.steeringMessage).toEqual(pending('s'));
    });

    it('R-56 removes an emptied queue', () => {
      const one = chatState({ queuedMessages: [pending('a')] });
      expect(onTheWire(after(one, started('t', 'a')))).not.toHaveProperty('queuedMessages');
    });

    it('R-56 takes the steering message', () => {
      const state = after(before, started('t', 's'));
      expect(onTheWire(state)).not.toHaveProperty('steeringMessage');
      expect(state.queuedMessages).toEqual(before.queuedMessages);
    });

    it('R-56 an id that matches nothing still removes an empty queue', () => {
      const empty = chatState({ queuedMessages: [] });
      expect(onTheWire(after(empty, started('t', 'x')))).not.toHaveProperty('queuedMessages');
      expect(after(empty, started('t')).queuedMessages).toEqual([]);
      expect(after(empty, started('t', '')).queuedMessages).toEqual([]);
    });

    it('R-56 leaves pending messages alone without an id', () => {
      expect(after(before, started('t'))).toMatchObject({
        steeringMessage: pending('s'),
        queuedMessages: before.queuedMessages,
      });
    });
  });
});

describe('the end of a turn', () => {
  const turnId = 't';
  const duration = 5_000;
  const complete: ChatAction = { type: 'chat/turnComplete', turnId, duration };
  const part = { kind: 'error' as const, error, resumable: true };
  const endings = [
    ['R-57 chat/turnComplete', { type: 'chat/turnComplete', turnId, duration }, 'complete', 1, []],
    ['R-58 chat/turnCancelled', { type: 'chat/turnCancelled', turnId, duration }, 'cancelled', 1, []],
    ['R-59 chat/error', { type: 'chat/error', turnId, duration, part }, 'error', 2, [part]],
  ] as const;

  it.each(endings)(
    '%s archives the turn, keeps flags, and the chat changed when the turn ended',
    (_, action, state, activity, last) => {
      const usage = { inputTokens: 3 };
      const parts = [markdown('p', 'done'), reasoning('q', 'hm'), requestPart({ id: 'r' })];
      const before = busyChat(parts, {
        status: 24 + 32 + 64,
        turns: [finishedTurn('t0')],
        activeTurn: { ...activeTurn('t', parts), usage },
        steeringMessage: { id: 's', message: message('s') },
        queuedMessages: [],
      });
      const { activeTurn: _turn, ...rest } = before;
      expect(onTheWire(after(before, action))).toStrictEqual({
        ...rest,
        status: activity + 32 + 64,
        modifiedAt: '2026-01-02T03:04:05.000Z',
        turns: [
          finishedTurn('t0'),
          {
            id: 't',
            startedAt: '2026-01-02T03:04:00.000Z',
            duration,
            message: message('do it'),
            responseParts: [...parts, ...last],
            usage,
            state,
          },
        ],
      });
    },
  );

  it.each(endings)('R-52 %s is a no-op for another turn or none', (_, action) => {
    const other = busyChat();
    const idle = chatState();
    expect(after(other, { ...action, turnId: 'x' })).toBe(other);
    expect(after(idle, action)).toBe(idle);
  });

  it('R-60 rebuilds the turn: unknown members of the active turn are dropped, those of parts and state kept', () => {
    const part = withExtras(markdown('p', 'x'));
    const before = withExtras(chatState({ activeTurn: withExtras(activeTurn('t', [part])) }));
    const state = after(before, complete);
    const { startedAt } = activeTurn('t');
    const finished = { startedAt, duration, message: message('do it'), responseParts: [part] };
    expect(state.turns[0]).toEqual(finishedTurn('t', finished));
    expect(state).toHaveProperty('future');
  });

  it.each([
    ['a negative duration counts as none', -1, undefined, 0, '2026-01-02T03:04:00.000Z'],
    ['a start that is no time says nothing of the end', 10, 'yesterday', 10, '2025-12-24T08:00:00.000Z'],
    ['an end beyond all dates says nothing either', 9e15, undefined, 9e15, '2025-12-24T08:00:00.000Z'],
  ])('%s', (_, given, startedAt, kept, modifiedAt) => {
    const turn = activeTurn('t');
    const before = busyChat([], { activeTurn: { ...turn, startedAt: startedAt ?? turn.startedAt } });
    const state = after(before, { type: 'chat/turnComplete', turnId, duration: given });
    expect(state).toMatchObject({ modifiedAt, turns: [{ duration: kept }] });
  });

  it('R-60 cancels a call that is still streaming, as skipped and without its partial input', () => {
    const base = { toolCallId: 'c', toolName: 'sh', displayName: 'Shell', _meta: { a: 1 } };
    const before = busyChat([withExtras(callPart({ ...base, status: 'streaming', partialInput: '{"a' }))]);
    const state = after(before, complete);
    expect(onTheWire(state.turns[0]?.responseParts)).toStrictEqual([
      callPart({ ...base, status: 'cancelled', reason: 'skipped', invocationMessage: '' }),
    ]);
  });

  it('R-60 cancels a call that is pending or running, and keeps only what every call has', () => {
    const base = {
      toolCallId: 'c',
      toolName: 'sh',
      displayName: 'Shell',
      contributor: { kind: 'mcp' as const, customizationId: 'm' },
      invocationMessage: { markdown: '`ls`' },
      toolInput: 'ls',
    };
    const result = { success: true, pastTenseMessage: 'Ran', content: [{ type: 'text' as const, text: 'x' }] };
    const chosen = { id: 'once', label: 'Once', kind: 'approve' as const };
    const before = busyChat([
      callPart({ ...base, status: 'pending-confirmation', editable: true, options: [chosen] }),
      callPart({ ...base, status: 'running', confirmed: 'setting', selectedOption: chosen, content: [] }),
      callPart({ ...base, ...result, status: 'pending-result-confirmation', confirmed: 'setting' }),
    ]);
    const state = after(before, { type: 'chat/turnCancelled', turnId, duration });
    const cancelled = callPart({ ...base, status: 'cancelled', reason: 'skipped' });
    expect(onTheWire(state.turns[0]?.responseParts)).toStrictEqual([cancelled, cancelled, cancelled]);
  });

  it('R-60 keeps settled calls as they are', () => {
    const base = { toolCallId: 'c', toolName: 'sh', displayName: 'Shell', invocationMessage: 'ls' };
    const parts = [
      withExtras(
        callPart({ ...base, status: 'completed', confirmed: 'not-needed', success: true, pastTenseMessage: 'Ran ls' }),
      ),
      callPart({ ...base, status: 'cancelled', reason: 'denied', reasonMessage: 'no' }),
    ];
    const state = after(busyChat(parts), complete);
    expect(state.turns[0]?.responseParts).toEqual(parts);
  });
});

describe('chat/turnResume', () => {
  const resume: ChatAction = { type: 'chat/turnResume', turnId: 't' };
  const part = { kind: 'error' as const, error, resumable: true };
  const failed = finishedTurn('t', {
    startedAt: START,
    duration: 7,
    state: 'error',
    responseParts: [markdown('p', 'so far'), part],
    usage: { inputTokens: 3 },
  });

  it('takes up the last turn with all that is in it, busy and unread', () => {
    const before = chatState({ status: 2 + 32 + 64, turns: [finishedTurn('t0'), failed] });
    const { id, startedAt, message: asked, responseParts, usage } = failed;
    expect(onTheWire(after(before, resume))).toStrictEqual({
      ...before,
      status: 8 + 64,
      turns: [finishedTurn('t0')],
      activeTurn: { id, startedAt, message: asked, responseParts, usage },
    });
  });

  it('ends once more with the parts of both times', () => {
    const resumed = after(chatState({ turns: [failed] }), resume);
    const state = after(resumed, { type: 'chat/turnComplete', turnId: 't', duration: 9 });
    expect(state.turns).toMatchObject([{ state: 'complete', duration: 9, responseParts: failed.responseParts }]);
  });

  it('began when the chat last changed if nobody knows better', () => {
    const { startedAt: _, ...unknown } = failed;
    const before = chatState({ turns: [unknown] });
    expect(after(before, resume).activeTurn?.startedAt).toBe(before.modifiedAt);
  });

  it.each([
    ['a turn runs', busyChat([], { turns: [failed] })],
    ['it is not the last turn', chatState({ turns: [failed, finishedTurn('u')] })],
    ['there is no such turn', chatState({ turns: [finishedTurn('u')] })],
    [
      'its error cannot be resumed from',
      chatState({ turns: [{ ...failed, responseParts: [{ ...part, resumable: false }] }] }),
    ],
    ['it did not end in an error', chatState({ turns: [{ ...failed, state: 'cancelled' }] })],
    ['the error is not its last part', chatState({ turns: [{ ...failed, responseParts: [part, markdown('p')] }] })],
  ])('is a no-op when %s', (_, before) => {
    expect(after(before, resume)).toBe(before);
  });
});

describe('chat/turnsLoaded', () => {
  const [a, b, c] = [finishedTurn('a'), finishedTurn('b'), finishedTurn('c')];
  const loaded = (turns: Turn[], turnsNextCursor?: string): ChatAction => ({
    type: 'chat/turnsLoaded',
    turns,
    ...(turnsNextCursor !== undefined && { turnsNextCursor }),
  });

  it('puts them before those that are there, and replaces the cursor', () => {
    const before = busyChat([], { turns: [c], turnsNextCursor: '2' });
    expect(after(before, loaded([a, b], '0'))).toEqual({ ...before, turns: [a, b, c], turnsNextCursor: '0' });
    expect(onTheWire(after(before, loaded([a, b])))).not.toHaveProperty('turnsNextCursor');
  });

  it('skips those that are there, as they are there', () => {
    const known = withExtras(b);
    const before = chatState({ turns: [known, c], turnsNextCursor: '1' });
    expect(after(before, loaded([a, b])).turns).toEqual([a, known, c]);
  });

  it('is a no-op when it brings nothing', () => {
    const before = chatState({ turns: [c], turnsNextCursor: '2' });
    expect(after(before, loaded([c], '2'))).toBe(before);
    expect(after(before, loaded([], '2'))).toBe(before);
  });
});

describe('chat/truncated', () => {
  const turns = [finishedTurn('a'), finishedTurn('b'), finishedTurn('c')];
  const truncated = (turnId?: string): ChatAction => ({
    type: 'chat/truncated',
    ...(turnId !== undefined && { turnId }),
  });

  it('R-77 keeps the turns up to and including the one named; the active turn goes', () => {
    const before = busyChat([markdown('p', 'x')], {
      status: 24 + 32,
      turns,
      queuedMessages: [{ id: 'q', message: message('q') }],
    });
    const { activeTurn: _turn, ...rest } = before;
    expect(onTheWire(after(before, truncated('b')))).toStrictEqual({
      ...rest,
      turns: turns.slice(0, 2),
      status: 1 + 32,
    });
  });

  it('R-77 without a turn keeps none, and none is left to load', () => {
    const before = chatState({ turns, turnsNextCursor: '3' });
    expect(onTheWire(after(before, truncated()))).toStrictEqual(chatState());
    expect(after(before, truncated('a')).turnsNextCursor).toBe('3');
  });

  it('R-77 ends the status Error even when nothing is cut', () => {
    const state = after(chatState({ turns, status: 2 }), truncated('c'));
    expect(state).toEqual(chatState({ turns }));
  });

  it('R-77 is a no-op for an unknown turn and for the active one', () => {
    const before = busyChat([], { turns });
    expect(after(before, truncated('x'))).toBe(before);
    expect(after(before, truncated('t'))).toBe(before);
    expect(after(before, truncated(''))).toBe(before);
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = busyChat();
  expect(after(before, foreign({ type: 'chat/moodChanged', turnId: 't', mood: 'x' }))).toBe(before);
});
