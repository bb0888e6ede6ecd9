import { describe, expect, it } from 'vitest';
import type { ChatAction, ChatState } from '../../src/index.js';
import { apply, foreign, NOW_ISO, onTheWire, withExtras } from '../support/reducing.js';
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
} from '../support/samples.js';

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

const started = (turnId: string, queuedMessageId?: string): ChatAction => ({
  type: 'chat/turnStarted',
  turnId,
  message: message('go'),
  ...(queuedMessageId !== undefined && { queuedMessageId }),
});

describe('chat/turnStarted', () => {
  it('R-56 opens an empty turn, makes the chat busy and unread, and touches', () => {
    const before = chatState({ status: 1 + 32 + 64, turns: [finishedTurn('t0')] });
    expect(onTheWire(after(before, started('t1')))).toStrictEqual({
      ...before,
      status: 8 + 64,
      modifiedAt: NOW_ISO,
      activeTurn: { id: 't1', message: message('go'), responseParts: [] },
    });
  });

  it('R-56 overwrites an active turn without archiving it, and stores no _meta', () => {
    const before = busyChat([markdown('p', 'lost')]);
    const state = after(before, { type: 'chat/turnStarted', turnId: 't2', message: message('go'), _meta: { a: 1 } });
    expect(state.turns).toEqual([]);
    expect(state.activeTurn).toEqual({ id: 't2', message: message('go'), responseParts: [] });
  });

  it('R-49 an open input request keeps the chat waiting for input', () => {
    const before = chatState({ inputRequests: [{ id: 'r' }] });
    const state = after(before, started('t1'));
    expect(state).toMatchObject({ status: 24, inputRequests: [{ id: 'r' }] });
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
    expect(after(bare, started('t1'))).toMatchObject({ status: 8, modifiedAt: NOW_ISO, activeTurn: { id: 't1' } });
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
  const endings = [
    ['R-57 chat/turnComplete', { type: 'chat/turnComplete', turnId }, { state: 'complete' }, 1],
    ['R-58 chat/turnCancelled', { type: 'chat/turnCancelled', turnId }, { state: 'cancelled' }, 1],
    ['R-59 chat/error', { type: 'chat/error', turnId, error }, { state: 'error', error }, 2],
  ] as const;

  it.each(endings)(
    '%s archives the turn, ends input requests, keeps flags and touches',
    (_, action, outcome, activity) => {
      const usage = { inputTokens: 3 };
      const parts = [markdown('p', 'done'), reasoning('q', 'hm')];
      const before = busyChat(parts, {
        status: 24 + 32 + 64,
        turns: [finishedTurn('t0')],
        activeTurn: { ...activeTurn('t', parts), usage },
        inputRequests: [{ id: 'r' }],
        steeringMessage: { id: 's', message: message('s') },
        queuedMessages: [],
      });
      const { activeTurn: _turn, inputRequests: _requests, ...rest } = before;
      expect(onTheWire(after(before, action))).toStrictEqual({
        ...rest,
        status: activity + 32 + 64,
        modifiedAt: NOW_ISO,
        turns: [finishedTurn('t0'), { id: 't', message: message('do it'), responseParts: parts, usage, ...outcome }],
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
    const state = after(before, { type: 'chat/turnComplete', turnId });
    expect(state.turns[0]).toEqual(finishedTurn('t', { message: message('do it'), responseParts: [part] }));
    expect(state).toHaveProperty('future');
  });

  it('R-60 cancels a call that is still streaming, as skipped and without its partial input', () => {
    const base = { toolCallId: 'c', toolName: 'sh', displayName: 'Shell', _meta: { a: 1 } };
    const before = busyChat([withExtras(callPart({ ...base, status: 'streaming', partialInput: '{"a' }))]);
    const state = after(before, { type: 'chat/turnComplete', turnId });
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
    const state = after(before, { type: 'chat/turnCancelled', turnId });
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
    const state = after(busyChat(parts), { type: 'chat/turnComplete', turnId });
    expect(state.turns[0]?.responseParts).toEqual(parts);
  });
});

describe('chat/truncated', () => {
  const turns = [finishedTurn('a'), finishedTurn('b'), finishedTurn('c')];
  const truncated = (turnId?: string): ChatAction => ({
    type: 'chat/truncated',
    ...(turnId !== undefined && { turnId }),
  });

  it('R-77 keeps the turns up to and including the one named; active turn and input requests go', () => {
    const before = busyChat([markdown('p', 'x')], {
      status: 24 + 32,
      turns,
      inputRequests: [{ id: 'r' }],
      queuedMessages: [{ id: 'q', message: message('q') }],
    });
    const { activeTurn: _turn, inputRequests: _requests, ...rest } = before;
    expect(onTheWire(after(before, truncated('b')))).toStrictEqual({
      ...rest,
      turns: turns.slice(0, 2),
      status: 1 + 32,
      modifiedAt: NOW_ISO,
    });
  });

  it('R-77 without a turn keeps none', () => {
    expect(after(chatState({ turns }), truncated()).turns).toEqual([]);
  });

  it('R-77 touches even when nothing is cut, and ends the status Error', () => {
    const state = after(chatState({ turns, status: 2 }), truncated('c'));
    expect(state).toEqual(chatState({ turns, modifiedAt: NOW_ISO }));
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
  expect(after(before, foreign({ type: 'chat/activityChanged', turnId: 't', activity: 'x' }))).toBe(before);
});
