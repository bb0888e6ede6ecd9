import { describe, expect, it } from 'vitest';
import { type BackgroundWork, type ChatAction, type ChatState, selectionOf } from '../../src/index.js';
import { apply, onTheWire } from '../support/reducing.js';
import { activeTurn, busyChat, chatState, finishedTurn, message } from '../support/samples.js';

function after(state: ChatState, ...actions: ChatAction[]): ChatState {
  return apply('chat', state, ...actions);
}

describe('the draft of a chat', () => {
  const draft = { ...message('so far'), model: { id: 'large' } };

  it('is set as a whole, and cleared', () => {
    const drafted = after(chatState(), { type: 'chat/draftChanged', draft });
    expect(drafted).toEqual(chatState({ draft }));
    expect(after(drafted, { type: 'chat/draftChanged', draft: message('x') }).draft).toEqual(message('x'));
    expect(onTheWire(after(drafted, { type: 'chat/draftChanged' }))).toStrictEqual(chatState());
  });

  it('stays when a message is sent: its sender clears it', () => {
    const started = after(chatState({ draft }), {
      type: 'chat/turnStarted',
      turnId: 't',
      startedAt: '2026-01-02T03:04:00.000Z',
      message: message('go'),
    });
    expect(started.draft).toBe(draft);
  });
});

describe('the model and the agent of the next message', () => {
  const large = { id: 'large' };
  const small = { id: 'small' };
  const agent = { uri: 'file:///agents/reviewer.md' };
  const said = (model: { id: string }) => ({ ...message('go'), model });

  it.each([
    ['none, where nobody chose', chatState(), {}],
    ['those of the last turn', chatState({ turns: [finishedTurn('a', { message: said(large) })] }), { model: large }],
    [
      'those of the turn that runs',
      busyChat([], {
        turns: [finishedTurn('a', { message: said(large) })],
        activeTurn: { ...activeTurn('t'), message: said(small) },
      }),
      { model: small },
    ],
    [
      'those of the draft',
      chatState({
        draft: { ...message(''), model: large, agent },
        turns: [finishedTurn('a', { message: said(small) })],
      }),
      { model: large, agent },
    ],
    [
      'those of the last turn beside a draft of words only',
      chatState({ draft: message('hm'), turns: [finishedTurn('a', { message: said(small) })] }),
      { model: small },
    ],
  ])('are %s', (_, state, expected) => {
    expect(onTheWire(selectionOf(state))).toStrictEqual(expected);
  });
});

describe('flags of a chat', () => {
  it.each([
    ['chat/isReadChanged sets its bit', { type: 'chat/isReadChanged', isRead: true }, 8, 40],
    ['chat/isReadChanged clears its bit', { type: 'chat/isReadChanged', isRead: false }, 104, 72],
    ['chat/isArchivedChanged sets its bit', { type: 'chat/isArchivedChanged', isArchived: true }, 33, 97],
    [
      'chat/isArchivedChanged clears its bit',
      { type: 'chat/isArchivedChanged', isArchived: false },
      96 + 1024,
      32 + 1024,
    ],
  ] as const)('%s', (_, action, status, expected) => {
    expect(after(chatState({ status }), action)).toEqual(chatState({ status: expected }));
  });

  it('chat/movableChanged and chat/activityChanged', () => {
    expect(after(chatState(), { type: 'chat/movableChanged', movable: true })).toEqual(chatState({ movable: true }));
    const busy = after(chatState(), { type: 'chat/activityChanged', activity: 'thinking' });
    expect(busy.activity).toBe('thinking');
    expect(after(busy, { type: 'chat/activityChanged' }).activity).toBeUndefined();
  });
});

describe('working directories of a chat', () => {
  it('are added once and removed', () => {
    const one = after(chatState(), { type: 'chat/workingDirectorySet', directory: 'file:///a' });
    expect(one.workingDirectories).toEqual(['file:///a']);
    expect(after(one, { type: 'chat/workingDirectorySet', directory: 'file:///a' })).toBe(one);
    expect(after(one, { type: 'chat/workingDirectoryRemoved', directory: 'file:///x' })).toBe(one);
    expect(after(one, { type: 'chat/workingDirectoryRemoved', directory: 'file:///a' }).workingDirectories).toEqual([]);
  });
});

describe('background work', () => {
  const work = (id: string, label = id): BackgroundWork => ({
    id,
    kind: 'shell',
    label,
    startedAt: '2026-01-02T03:04:00.000Z',
    command: 'make',
  });
  const set = (...list: BackgroundWork[]) =>
    list.map((each): ChatAction => ({ type: 'chat/backgroundWorkSet', work: each }));
  const removed = (id: string): ChatAction => ({ type: 'chat/backgroundWorkRemoved', id });

  it('is listed, replaced in place, and goes with the last of it', () => {
    const state = after(chatState(), ...set(work('a'), work('b'), work('a', 'renamed')));
    expect(state.backgroundWork).toEqual([work('a', 'renamed'), work('b')]);
    expect(after(state, removed('a')).backgroundWork).toEqual([work('b')]);
    expect(onTheWire(after(state, removed('a'), removed('b')))).toStrictEqual(chatState());
  });

  it('does not make a chat busy, and outlives its turns', () => {
    const state = after(busyChat(), ...set(work('a')), { type: 'chat/turnComplete', turnId: 't', duration: 1 });
    expect([state.status, state.backgroundWork]).toEqual([1, [work('a')]]);
  });

  it('removing what is not listed is a no-op', () => {
    const state = after(chatState(), ...set(work('a')));
    const none = chatState();
    expect(after(state, removed('x'))).toBe(state);
    expect(after(none, removed('x'))).toBe(none);
  });
});

describe('chat/changesetsChanged', () => {
  it('stores the catalogue, or deletes it', () => {
    const entry = { label: 'All', uriTemplate: 'ahp-changeset:/c/changeset/chat', changeKind: 'session' };
    const state = after(chatState(), { type: 'chat/changesetsChanged', changesets: [entry] });
    expect(state.changesets).toEqual([entry]);
    expect(onTheWire(after(state, { type: 'chat/changesetsChanged' }))).toStrictEqual(chatState());
  });
});

describe('an error', () => {
  it('comes with the end of a turn only', () => {
    const before = busyChat();
    const part = { kind: 'error' as const, error: { errorType: 'x', message: 'no' } };
    expect(after(before, { type: 'chat/responsePart', turnId: 't', part })).toBe(before);
  });
});
