import { describe, expect, it } from 'vitest';
import type { ChatAction, ChatState, McpAuthRequirement, ToolCallState } from '../../src/index.js';
import { apply, foreign, onTheWire, withExtras } from '../support/reducing.js';
import { busyChat, callPart, chatState, finishedTurn, markdown, message } from '../support/samples.js';

/** An action on call `c` of the active turn. */
type CallAction = Extract<ChatAction, { toolCallId: string }>;
type Payload<A> = A extends CallAction ? Omit<A, 'turnId' | 'toolCallId'> : never;
const on = (action: Payload<CallAction>): ChatAction => ({ turnId: 't', toolCallId: 'c', ...action }) as ChatAction;

const once = { id: 'once', label: 'Once', kind: 'approve' as const };
const never = { id: 'never', label: 'Never', kind: 'deny' as const, group: 1 };
const text = (value: string) => [{ type: 'text' as const, text: value }];

/** What every state of a call carries on. */
const base = {
  toolCallId: 'c',
  toolName: 'sh',
  displayName: 'Shell',
  contributor: { kind: 'client' as const, clientId: 'laptop' },
  _meta: { origin: 'start' },
};
const asked = { ...base, invocationMessage: 'Run ls', toolInput: 'ls' };
const result = { success: true, pastTenseMessage: 'Ran ls', content: text('a.ts') };

const calls = {
  streaming: { ...base, status: 'streaming', partialInput: 'l' },
  pending: {
    ...asked,
    status: 'pending-confirmation',
    confirmationTitle: 'Run?',
    edits: { items: [] },
    editable: true,
    options: [once, never],
  },
  running: { ...asked, status: 'running', confirmed: 'setting', content: text('so far') },
  pendingResult: { ...asked, ...result, status: 'pending-result-confirmation', confirmed: 'user-action' },
  completed: { ...asked, ...result, status: 'completed', confirmed: 'not-needed' },
  cancelled: { ...asked, status: 'cancelled', reason: 'denied' },
} satisfies Record<string, ToolCallState>;
type State = keyof typeof calls;

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

function chatWith(...states: ToolCallState[]): ChatState {
  return busyChat(states.map(callPart));
}

/** The one call of a chat after some actions, as a peer would read it. */
function callAfter(call: ToolCallState, ...actions: ChatAction[]): unknown {
  const parts = after(chatWith(call), ...actions).activeTurn?.responseParts;
  const part = parts?.[0];
  return onTheWire(part?.kind === 'toolCall' ? part.toolCall : undefined);
}

describe('which calls an action may change', () => {
  const ready = on({ type: 'chat/toolCallReady', invocationMessage: 'x' });
  const confirmed = on({ type: 'chat/toolCallConfirmed', approved: true, confirmed: 'user-action' });
  const complete = on({ type: 'chat/toolCallComplete', result });
  const resultConfirmed = on({ type: 'chat/toolCallResultConfirmed', approved: true });
  const delta = on({ type: 'chat/toolCallDelta', content: 'x' });
  const contentChanged = on({ type: 'chat/toolCallContentChanged', content: [] });

  const table: [rule: string, action: ChatAction, from: State[]][] = [
    ['R-66', delta, ['streaming']],
    ['R-67', ready, ['streaming', 'running', 'pending']],
    ['R-68', confirmed, ['pending']],
    ['R-69', complete, ['running', 'pending']],
    ['R-70', resultConfirmed, ['pendingResult']],
    ['R-71', contentChanged, ['running']],
  ];
  const everyPair = table.flatMap(([rule, action, from]) =>
    (Object.keys(calls) as State[]).map((state) => ({
      rule,
      action,
      state,
      type: action.type,
      may: from.includes(state),
    })),
  );

  it.each(everyPair)('$rule $type on a $state call: $may', ({ action, state, may }) => {
    const before = chatWith(calls[state]);
    const parts = after(before, action).activeTurn?.responseParts;
    if (may) expect(parts).not.toEqual(before.activeTurn?.responseParts);
    else expect(parts).toBe(before.activeTurn?.responseParts);
  });

  it.each(table)('R-75 %s: another turn, no turn or another call are left alone', (_, action, [state = 'running']) => {
    const before = chatWith({ ...calls[state], toolCallId: 'another' });
    const otherTurn = chatWith(calls[state]);
    expect(after(before, action).activeTurn).toBe(before.activeTurn);
    expect(after(otherTurn, { ...action, turnId: 'x' } as ChatAction).activeTurn).toBe(otherTurn.activeTurn);
    const idle = chatState({ turns: [finishedTurn('t', { responseParts: [callPart(calls[state])] })] });
    expect(after(idle, action)).toBe(idle);
  });

  it.each(table)(
    'R-53 %s: changes every call with the id, keeps the rest of the parts and touches nothing else',
    (_, action, [state = 'running']) => {
      const part = withExtras(callPart(calls[state]));
      const before = busyChat([part, markdown('c', 'same id'), part], { status: 8 + 32 });
      const next = after(before, action);
      const [first, second, third] = next.activeTurn?.responseParts ?? [];
      expect(first).toEqual(third);
      expect(first).not.toEqual(part);
      expect(first).toHaveProperty('future');
      expect(second).toBe(before.activeTurn?.responseParts[1]);
      expect(next.modifiedAt).toBe(before.modifiedAt);
      expect(next.status & 32).toBe(32);
      expect(next.turns).toBe(before.turns);
    },
  );
});

describe('R-55 _meta', () => {
  const table: [string, State, Payload<CallAction>][] = [
    ['chat/toolCallDelta', 'streaming', { type: 'chat/toolCallDelta', content: '' }],
    ['chat/toolCallReady', 'streaming', { type: 'chat/toolCallReady', invocationMessage: '' }],
    ['chat/toolCallConfirmed', 'pending', { type: 'chat/toolCallConfirmed', approved: true, confirmed: 'setting' }],
    [
      'chat/toolCallConfirmed (denied)',
      'pending',
      { type: 'chat/toolCallConfirmed', approved: false, reason: 'denied' },
    ],
    ['chat/toolCallComplete', 'running', { type: 'chat/toolCallComplete', result }],
    ['chat/toolCallResultConfirmed', 'pendingResult', { type: 'chat/toolCallResultConfirmed', approved: true }],
    ['chat/toolCallContentChanged', 'running', { type: 'chat/toolCallContentChanged', content: [] }],
  ];

  it.each(table)('%s replaces it as a whole, or keeps the old one', (_, state, action) => {
    expect(callAfter(calls[state], on({ ...action, _meta: { fresh: 1 } }))).toHaveProperty('_meta', { fresh: 1 });
    expect(callAfter(calls[state], on({ ...action, _meta: {} }))).toHaveProperty('_meta', {});
    expect(callAfter(calls[state], on(action))).toHaveProperty('_meta', { origin: 'start' });
  });
});

describe('chat/toolCallStart', () => {
  const start: ChatAction = {
    type: 'chat/toolCallStart',
    turnId: 't',
    toolCallId: 'c',
    toolName: 'sh',
    displayName: 'Shell',
  };

  it('R-65 appends a streaming call, also a second one with the same id', () => {
    const before = busyChat([markdown('p')], { status: 2 });
    const state = after(before, { ...start, contributor: base.contributor, _meta: base._meta }, start);
    expect(onTheWire(state)).toStrictEqual({
      ...before,
      activeTurn: {
        ...before.activeTurn,
        responseParts: [
          markdown('p'),
          callPart({ ...base, status: 'streaming' }),
          callPart({ toolCallId: 'c', toolName: 'sh', displayName: 'Shell', status: 'streaming' }),
        ],
      },
    });
  });

  it('R-52 is a no-op for another turn or none', () => {
    const other = busyChat();
    const idle = chatState();
    expect(after(other, { ...start, turnId: 'x' })).toBe(other);
    expect(after(idle, start)).toBe(idle);
  });
});

describe('chat/toolCallDelta', () => {
  it('R-66 appends to the partial input and keeps everything else', () => {
    const call = withExtras(calls.streaming);
    const action = on({ type: 'chat/toolCallDelta', content: 's' });
    expect(callAfter(call, action)).toStrictEqual({ ...call, partialInput: 'ls' });
  });

  it('R-66 begins the partial input, and replaces the invocation message where given', () => {
    const call: ToolCallState = { ...base, status: 'streaming', invocationMessage: 'old' };
    const said = on({ type: 'chat/toolCallDelta', content: 'l', invocationMessage: { markdown: 'new' } });
    expect(callAfter(call, on({ type: 'chat/toolCallDelta', content: 'l' }))).toMatchObject({
      invocationMessage: 'old',
    });
    expect(callAfter(call, said)).toStrictEqual({ ...call, partialInput: 'l', invocationMessage: { markdown: 'new' } });
  });

  it('6.4 does not refresh the status', () => {
    const before = busyChat([callPart(calls.streaming)], { status: 2 });
    expect(after(before, on({ type: 'chat/toolCallDelta', content: 's' })).status).toBe(2);
  });
});

describe('chat/toolCallReady', () => {
  const { confirmationTitle, edits, editable, options } = calls.pending;

  it('R-67a with a confirmation the call runs', () => {
    const action = on({
      type: 'chat/toolCallReady',
      invocationMessage: 'Run ls',
      toolInput: 'ls',
      confirmed: 'setting',
    });
    expect(callAfter(withExtras(calls.streaming), action)).toStrictEqual({
      ...asked,
      status: 'running',
      confirmed: 'setting',
    });
  });

  it('R-67b without one it waits for the user', () => {
    const action = on({
      type: 'chat/toolCallReady',
      invocationMessage: 'Run ls',
      toolInput: 'ls',
      confirmationTitle,
      edits,
      editable,
      options,
    });
    expect(callAfter(withExtras(calls.streaming), action)).toStrictEqual(calls.pending);
    expect(after(chatWith(calls.streaming), action).status).toBe(24);
  });

  it('R-67b has no options where none are given', () => {
    const parts = after(chatWith(calls.streaming), on({ type: 'chat/toolCallReady', invocationMessage: 'x' }));
    expect(parts.activeTurn?.responseParts[0]).not.toHaveProperty('toolCall.options');
  });

  it('R-73 asking again for a running call loses its confirmation, option and content', () => {
    const running: ToolCallState = { ...calls.running, selectedOption: once };
    expect(callAfter(running, on({ type: 'chat/toolCallReady', invocationMessage: 'Again?' }))).toStrictEqual({
      ...base,
      status: 'pending-confirmation',
      invocationMessage: 'Again?',
      toolInput: 'ls',
    });
  });

  it('a question that is asked again keeps what it does not say anew', () => {
    const again = on({
      type: 'chat/toolCallReady',
      invocationMessage: 'Run ls -l',
      toolInput: 'ls -l',
      intention: 'look',
    });
    expect(callAfter(calls.pending, again)).toStrictEqual({
      ...calls.pending,
      invocationMessage: 'Run ls -l',
      toolInput: 'ls -l',
      intention: 'look',
    });
    const other = on({
      type: 'chat/toolCallReady',
      invocationMessage: 'x',
      confirmationTitle: 'Sure?',
      options: [once],
    });
    expect(callAfter(calls.pending, other)).toStrictEqual({
      ...calls.pending,
      invocationMessage: 'x',
      confirmationTitle: 'Sure?',
      options: [once],
    });
  });

  it('a question that turns out not to be one runs', () => {
    const runs = on({ type: 'chat/toolCallReady', invocationMessage: 'Run ls', confirmed: 'setting' });
    expect(callAfter(calls.pending, runs)).toStrictEqual({ ...asked, status: 'running', confirmed: 'setting' });
  });

  it.each([
    [
      'a server for a call of the agent',
      undefined,
      { kind: 'mcp', customizationId: 'm' },
      { kind: 'mcp', customizationId: 'm' },
    ],
    [
      'a server for another',
      { kind: 'mcp', customizationId: 'm' },
      { kind: 'mcp', customizationId: 'n' },
      { kind: 'mcp', customizationId: 'n' },
    ],
    [
      'nothing: the server stays',
      { kind: 'mcp', customizationId: 'm' },
      undefined,
      { kind: 'mcp', customizationId: 'm' },
    ],
    ['a client: it does not move there', undefined, { kind: 'client', clientId: 'phone' }, undefined],
    [
      'a server for a client: it does not move away',
      { kind: 'client', clientId: 'phone' },
      { kind: 'mcp', customizationId: 'm' },
      { kind: 'client', clientId: 'phone' },
    ],
  ] as const)('may learn who runs it: %s', (_, known, refined, expected) => {
    const { contributor: __, ...call } = calls.pending;
    const action = on({ type: 'chat/toolCallReady', invocationMessage: 'x', ...(refined && { contributor: refined }) });
    expect(callAfter({ ...call, ...(known && { contributor: known }) }, action)).toEqual({
      ...call,
      invocationMessage: 'x',
      ...(expected && { contributor: expected }),
    });
  });
});

describe('chat/toolCallConfirmed', () => {
  const approve = on({ type: 'chat/toolCallConfirmed', approved: true, confirmed: 'user-action' });
  const runs = { ...asked, status: 'running', confirmed: 'user-action' };

  it('R-68a approval makes the call run', () => {
    const before = chatWith(withExtras(calls.pending));
    expect(callAfter(withExtras(calls.pending), approve)).toStrictEqual(runs);
    expect(after({ ...before, status: 24 }, approve).status).toBe(8);
  });

  it('R-68a an edited input takes the place of the old one, also an empty one', () => {
    expect(callAfter(calls.pending, { ...approve, editedToolInput: 'ls -l' } as ChatAction)).toStrictEqual({
      ...runs,
      toolInput: 'ls -l',
    });
    expect(callAfter(calls.pending, { ...approve, editedToolInput: '' } as ChatAction)).toHaveProperty('toolInput', '');
  });

  it('R-68b denial cancels the call with the reasons given', () => {
    const deny = on({
      type: 'chat/toolCallConfirmed',
      approved: false,
      reason: 'skipped',
      reasonMessage: { markdown: 'no' },
      userSuggestion: message('use fd'),
      selectedOptionId: 'never',
    });
    expect(callAfter(withExtras(calls.pending), deny)).toStrictEqual({
      ...asked,
      status: 'cancelled',
      reason: 'skipped',
      reasonMessage: { markdown: 'no' },
      userSuggestion: message('use fd'),
      selectedOption: never,
    });
  });

  it('R-72 keeps the option with the chosen id, even one of the other kind', () => {
    expect(callAfter(calls.pending, { ...approve, selectedOptionId: 'never' } as ChatAction)).toStrictEqual({
      ...runs,
      selectedOption: never,
    });
  });

  it.each([
    ['an unknown id', calls.pending, 'x'],
    ['no id', calls.pending, undefined],
    ['no options', { ...calls.pending, options: undefined }, 'once'],
  ])('R-72 has no selected option for %s', (_, call, selectedOptionId) => {
    const state = after(chatWith(call), { ...approve, selectedOptionId } as ChatAction);
    expect(state.activeTurn?.responseParts[0]).not.toHaveProperty('toolCall.selectedOption');
  });
});

describe('chat/toolCallComplete', () => {
  const complete = on({ type: 'chat/toolCallComplete', result });

  it('R-69, R-74 a running call keeps how it was confirmed and which option; its streamed content goes', () => {
    const running: ToolCallState = withExtras({ ...calls.running, selectedOption: once });
    const bare = on({ type: 'chat/toolCallComplete', result: { success: false, pastTenseMessage: 'Failed' } });
    expect(callAfter(running, bare)).toStrictEqual({
      ...asked,
      status: 'completed',
      confirmed: 'setting',
      selectedOption: once,
      success: false,
      pastTenseMessage: 'Failed',
    });
  });

  it('R-69 a call that was never confirmed counts as not needing it', () => {
    const before = { ...chatWith(calls.pending), status: 24 };
    expect(callAfter(calls.pending, complete)).toStrictEqual({ ...calls.completed });
    expect(after(before, complete).status).toBe(8);
  });

  it('R-69 may wait for the user to confirm the result', () => {
    const action = on({ type: 'chat/toolCallComplete', result, requiresResultConfirmation: true });
    const state = after(chatWith(calls.running), action);
    expect(callAfter(calls.running, action)).toStrictEqual({ ...calls.pendingResult, confirmed: 'setting' });
    expect(state.status).toBe(24);
  });

  it('R-69 keeps every member of the result, also one of a later version', () => {
    const action = on({ type: 'chat/toolCallComplete', result: withExtras(result, { cost: 3 }) });
    expect(callAfter(calls.running, action)).toHaveProperty('cost', 3);
  });

  it('R-74, OQ-30 a stray member of the result wins: refusing it is the task of the host', () => {
    const action = on({ type: 'chat/toolCallComplete', result: withExtras(result, { status: 'running' }) });
    expect(callAfter(calls.running, action)).toHaveProperty('status', 'running');
  });
});

describe('chat/toolCallResultConfirmed', () => {
  const approve = on({ type: 'chat/toolCallResultConfirmed', approved: true });
  const full: ToolCallState = {
    ...calls.pendingResult,
    structuredContent: { files: ['a.ts', null] },
    error: { message: 'partly', code: 'E1' },
    selectedOption: once,
  };

  it('R-70a approval completes the call with its result; members of a later version go', () => {
    expect(callAfter(withExtras(full), approve)).toStrictEqual({ ...full, status: 'completed' });
    expect(callAfter(calls.pendingResult, approve)).toStrictEqual({ ...calls.pendingResult, status: 'completed' });
  });

  it('R-70b denial cancels it without the result', () => {
    const action = on({ type: 'chat/toolCallResultConfirmed', approved: false });
    expect(callAfter(full, action)).toStrictEqual({
      ...asked,
      status: 'cancelled',
      reason: 'result-denied',
      selectedOption: once,
    });
  });

  it('R-49 ends the wait', () => {
    expect(after({ ...chatWith(full), status: 24 + 64 }, approve).status).toBe(8 + 64);
    expect(after({ ...chatWith(full, { ...full, toolCallId: 'd' }), status: 24 }, approve).status).toBe(24);
  });
});

describe('chat/toolCallContentChanged', () => {
  it('R-71 replaces the content of a running call, keeps the rest and does not refresh the status', () => {
    const running = withExtras(calls.running);
    const action = on({ type: 'chat/toolCallContentChanged', content: text('more') });
    expect(callAfter(running, action)).toStrictEqual({ ...running, content: text('more') });
    expect(after({ ...chatWith(running), status: 2 }, action).status).toBe(2);
  });
});

describe('R-75 late actions refresh the status all the same', () => {
  const late: [string, Payload<CallAction>][] = [
    ['chat/toolCallReady', { type: 'chat/toolCallReady', invocationMessage: 'x' }],
    ['chat/toolCallConfirmed', { type: 'chat/toolCallConfirmed', approved: true, confirmed: 'setting' }],
    ['chat/toolCallComplete', { type: 'chat/toolCallComplete', result }],
    ['chat/toolCallResultConfirmed', { type: 'chat/toolCallResultConfirmed', approved: false }],
  ];

  it.each(late)('%s after chat/error turns Error into Idle and changes nothing else', (_, action) => {
    const before = chatState({ status: 2 + 64, turns: [finishedTurn('t', { state: 'error' })] });
    expect(after(before, on(action))).toEqual({ ...before, status: 1 + 64 });
  });

  it.each(late)('%s is a no-op when the status is right already', (_, action) => {
    const idle = chatState({ status: 1 + 32 });
    const busy = busyChat();
    expect(after(idle, on(action))).toBe(idle);
    expect(after(busy, on(action))).toBe(busy);
  });

  it('R-21, OQ-27 keeps bit 31 unsigned', () => {
    const state = after(chatState({ status: 2 ** 31 + 2 }), on({ type: 'chat/toolCallComplete', result }));
    expect(state.status).toBe(2 ** 31 + 1);
  });
});

it('R-15 a call in a state that a later version added is left alone', () => {
  const before = chatWith(foreign<ToolCallState>({ ...asked, status: 'paused' }));
  expect(after(before, on({ type: 'chat/toolCallComplete', result }))).toBe(before);
});

describe('a call that waits for a token', () => {
  const contributor = { kind: 'mcp' as const, customizationId: 'm' };
  const running: ToolCallState = { ...calls.running, contributor, selectedOption: once };
  const auth: McpAuthRequirement = { reason: 'required', resource: { resource: 'https://mcp.example' } };
  const required = on({ type: 'chat/toolCallAuthRequired', auth });
  const resolved = on({ type: 'chat/toolCallAuthResolved' });
  const waiting: ToolCallState = { ...running, status: 'auth-required', contributor, auth };

  it('waits with all that it has, and the chat with it', () => {
    expect(callAfter(running, required)).toStrictEqual(waiting);
    expect(after(chatWith(running), required).status).toBe(24);
  });

  it('runs on when the token is there', () => {
    expect(callAfter(waiting, resolved)).toStrictEqual(running);
    expect(after({ ...chatWith(waiting), status: 24 }, resolved).status).toBe(8);
  });

  it('can only fail without one, and there is no result to confirm', () => {
    const failure = { success: false, pastTenseMessage: 'Gave up', error: { message: 'no token' } };
    const complete = on({ type: 'chat/toolCallComplete', result: failure, requiresResultConfirmation: true });
    const { auth: _, status: __, ...rest } = waiting;
    expect(callAfter(waiting, complete)).toStrictEqual({ ...rest, ...failure, status: 'completed' });
    const success = on({ type: 'chat/toolCallComplete', result });
    expect(callAfter(waiting, success)).toStrictEqual(waiting);
  });

  it('is one that an MCP server runs', () => {
    const ofClient = chatWith(calls.running);
    expect(after(ofClient, required).activeTurn).toBe(ofClient.activeTurn);
    const streams = chatWith({ ...calls.streaming, contributor });
    expect(after(streams, required).activeTurn).toBe(streams.activeTurn);
    const runs = chatWith(running);
    expect(after(runs, resolved).activeTurn).toBe(runs.activeTurn);
  });

  it('is cancelled with its turn', () => {
    const state = after(chatWith(waiting), { type: 'chat/turnCancelled', turnId: 't', duration: 1 });
    expect(state.turns[0]?.responseParts).toMatchObject([{ toolCall: { status: 'cancelled', reason: 'skipped' } }]);
  });
});
