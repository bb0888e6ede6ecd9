import { describe, expect, it } from 'vitest';
import type {
  ChatSummary,
  SessionAction,
  SessionActiveClient,
  SessionInputRequest,
  SessionState,
} from '../../src/index.js';
import { apply, foreign, onTheWire, withExtras } from '../support/reducing.js';
import { chatSummary, error, plugin, sessionState } from '../support/samples.js';

function after(state: SessionState, ...actions: SessionAction[]): SessionState {
  return apply('session', state, ...actions);
}

describe('lifecycle', () => {
  it('R-26 session/ready changes the lifecycle and nothing else', () => {
    const before = sessionState({ status: 8, lifecycle: 'creating', creationError: error });
    expect(after(before, { type: 'session/ready' })).toEqual({ ...before, lifecycle: 'ready' });
  });

  it('R-27 session/creationFailed keeps the error and the status', () => {
    const before = sessionState({ lifecycle: 'creating' });
    const state = after(before, { type: 'session/creationFailed', error });
    expect(state).toEqual({ ...before, lifecycle: 'failed', creationError: error });
  });
});

describe('session/chatAdded', () => {
  it('R-28 appends a chat and leaves the default chat alone', () => {
    const before = sessionState({ chats: [chatSummary('c1')], defaultChat: 'c1' });
    const state = after(before, { type: 'session/chatAdded', summary: chatSummary('c2') });
    expect(state).toEqual({ ...before, chats: [chatSummary('c1'), chatSummary('c2')] });
  });

  it('R-28 replaces a known chat wholly and in place', () => {
    const before = sessionState({ chats: [chatSummary('c1', { activity: 'thinking' }), chatSummary('c2')] });
    const state = after(before, {
      type: 'session/chatAdded',
      summary: withExtras(chatSummary('c1', { title: 'new' })),
    });
    expect(onTheWire(state.chats)).toStrictEqual([withExtras(chatSummary('c1', { title: 'new' })), chatSummary('c2')]);
  });
});

describe('session/chatRemoved', () => {
  const before = sessionState({ chats: [chatSummary('c1'), chatSummary('c2')], defaultChat: 'c1' });

  it('R-29 removes the chat, and the default chat with it', () => {
    const state = after(before, { type: 'session/chatRemoved', chat: 'c1' });
    expect(onTheWire(state)).toStrictEqual(sessionState({ chats: [chatSummary('c2')] }));
  });

  it('R-29 keeps another default chat', () => {
    const state = after(before, { type: 'session/chatRemoved', chat: 'c2' });
    expect(state).toEqual(sessionState({ chats: [chatSummary('c1')], defaultChat: 'c1' }));
  });

  it('R-29 is a no-op for a chat that is not listed, even the default one', () => {
    const lost = sessionState({ defaultChat: 'c9' });
    expect(after(lost, { type: 'session/chatRemoved', chat: 'c9' })).toBe(lost);
  });
});

describe('session/chatUpdated', () => {
  const before = sessionState({ chats: [chatSummary('c1'), withExtras(chatSummary('c2', { activity: 'thinking' }))] });

  function updated(changes: Partial<ChatSummary>): ChatSummary | undefined {
    return after(before, { type: 'session/chatUpdated', chat: 'c2', changes }).chats[1];
  }

  it('R-30 merges the changes, in place, and keeps what they do not name', () => {
    expect(updated({ status: 24, title: 'new' })).toEqual(
      withExtras(chatSummary('c2', { activity: 'thinking', status: 24, title: 'new' })),
    );
  });

  it('R-30 ignores a resource in the changes, and keeps members of a later version', () => {
    const changes = withExtras({ resource: 'c9', status: 2 }, { mood: 'good' });
    expect(updated(changes)).toEqual({ ...before.chats[1], status: 2, mood: 'good' });
  });

  it('R-8 an undefined change is an absent one', () => {
    expect(updated(foreign({ title: undefined }))).toEqual(before.chats[1]);
  });

  it('OQ-25 null clears', () => {
    expect(updated(foreign({ activity: null }))?.activity).toBeUndefined();
  });

  it('R-30 is a no-op for an unknown chat', () => {
    expect(after(before, { type: 'session/chatUpdated', chat: 'c9', changes: { title: 'x' } })).toBe(before);
  });
});

describe('session/defaultChatChanged', () => {
  it('R-31 stores any chat, and none', () => {
    const chosen = after(sessionState(), { type: 'session/defaultChatChanged', defaultChat: 'c9' });
    expect(chosen.defaultChat).toBe('c9');
    expect(after(chosen, { type: 'session/defaultChatChanged' }).defaultChat).toBeUndefined();
  });
});

describe('session/chatsReordered', () => {
  const [a, b, c] = [chatSummary('a'), withExtras(chatSummary('b')), chatSummary('c')];
  const before = sessionState({ chats: [a, b, c], defaultChat: 'a' });
  const reordered = (...chats: string[]): SessionAction => ({ type: 'session/chatsReordered', chats });

  it('puts the chats in that order', () => {
    expect(after(before, reordered('c', 'a', 'b'))).toEqual({ ...before, chats: [c, a, b] });
  });

  it.each([
    ['leaves one out', ['c', 'a']],
    ['names one twice', ['c', 'a', 'b', 'a']],
    ['names one in place of another', ['c', 'a', 'a']],
    ['names a chat that is not there', ['c', 'a', 'x']],
    ['is empty', []],
  ])('is a no-op when the order %s', (_, order) => {
    expect(after(before, reordered(...order))).toBe(before);
  });
});

describe('metadata', () => {
  it('R-32 session/titleChanged changes the title alone', () => {
    const state = after(sessionState(), { type: 'session/titleChanged', title: 'Renamed' });
    expect(state).toEqual(sessionState({ title: 'Renamed' }));
  });

  it('R-37 session/activityChanged sets or clears', () => {
    const busy = after(sessionState(), { type: 'session/activityChanged', activity: 'thinking' });
    expect(busy).toEqual(sessionState({ activity: 'thinking' }));
    expect(after(busy, { type: 'session/activityChanged' })).toEqual(sessionState());
  });
});

describe('working directories', () => {
  const before = sessionState({ workingDirectories: ['file:///a', 'file:///b'] });
  const set = (directory: string): SessionAction => ({ type: 'session/workingDirectorySet', directory });
  const removed = (directory: string): SessionAction => ({ type: 'session/workingDirectoryRemoved', directory });
  const replaced = (directory: string, replacement: string): SessionAction => ({
    type: 'session/workingDirectoryReplaced',
    directory,
    replacement,
  });

  it('are added at the end, once', () => {
    expect(after(before, set('file:///c')).workingDirectories).toEqual(['file:///a', 'file:///b', 'file:///c']);
    expect(after(before, set('file:///a'))).toBe(before);
    expect(after(sessionState(), set('file:///a')).workingDirectories).toEqual(['file:///a']);
  });

  it('are removed', () => {
    expect(after(before, removed('file:///a')).workingDirectories).toEqual(['file:///b']);
    expect(after(before, removed('file:///x'))).toBe(before);
    const none = sessionState();
    expect(after(none, removed('file:///x'))).toBe(none);
  });

  it('are replaced in place, and by one that is there already', () => {
    expect(after(before, replaced('file:///a', 'file:///x')).workingDirectories).toEqual(['file:///x', 'file:///b']);
    expect(after(before, replaced('file:///a', 'file:///b')).workingDirectories).toEqual(['file:///b']);
    expect(after(before, replaced('file:///x', 'file:///y'))).toBe(before);
    expect(after(before, replaced('file:///a', 'file:///a'))).toBe(before);
  });
});

describe('what needs the user', () => {
  const asks = (id: string, message?: string): SessionInputRequest => ({
    kind: 'chatInput',
    id,
    chat: 'ahp-chat:/c',
    request: { id, ...(message !== undefined && { message }) },
  });
  const runs = (id: string): SessionInputRequest => ({
    kind: 'toolClientExecution',
    id,
    chat: 'ahp-chat:/c',
    turnId: 't',
    clientId: 'laptop',
    toolCall: {
      toolCallId: id,
      toolName: '',
      displayName: '',
      invocationMessage: '',
      status: 'running',
      confirmed: 'setting',
    },
  });
  const set = (request: SessionInputRequest): SessionAction => ({ type: 'session/inputNeededSet', request });
  const removed = (id: string): SessionAction => ({ type: 'session/inputNeededRemoved', id });
  const working = sessionState({ status: 8 + 32 });

  it('is listed, and the session waits', () => {
    const state = after(working, set(asks('a')), set(asks('b')));
    expect(state).toEqual({ ...working, status: 24 + 32, inputNeeded: [asks('a'), asks('b')] });
  });

  it('is replaced in place by what has the same id', () => {
    const state = after(working, set(asks('a')), set(asks('b')), set(asks('a', 'Which?')));
    expect(state.inputNeeded).toEqual([asks('a', 'Which?'), asks('b')]);
  });

  it('goes with the last of them, and the session works on', () => {
    const state = after(working, set(asks('a')), set(asks('b')), removed('b'));
    expect([state.status, state.inputNeeded]).toEqual([24 + 32, [asks('a')]]);
    expect(onTheWire(after(state, removed('a')))).toStrictEqual(working);
  });

  it('is not a tool that a client runs', () => {
    expect(after(working, set(runs('a')))).toEqual({ ...working, inputNeeded: [runs('a')] });
    expect(after(working, set(asks('b')), set(runs('a')), removed('b')).status).toBe(8 + 32);
  });

  it('removing what is not listed is a no-op', () => {
    const state = after(working, set(asks('a')));
    expect(after(state, removed('x'))).toBe(state);
    expect(after(working, removed('x'))).toBe(working);
  });
});

describe('status flags', () => {
  const read = (isRead: boolean): SessionAction => ({ type: 'session/isReadChanged', isRead });
  const archived = (isArchived: boolean): SessionAction => ({ type: 'session/isArchivedChanged', isArchived });

  it.each([
    ['R-35 sets IsRead', read(true), 8, 40],
    ['R-35 clears IsRead', read(false), 120, 88],
    ['R-35 leaves a set IsRead set', read(true), 33, 33],
    ['R-36 sets IsArchived', archived(true), 24, 88],
    ['R-36 clears IsArchived', archived(false), 97, 33],
    ['R-20 keeps unknown bits', archived(false), 1 + 64 + 1024, 1 + 1024],
    ['R-21, OQ-27 keeps bit 31 unsigned', read(true), 2 ** 31 + 8, 2 ** 31 + 40],
    ['R-21, OQ-27 keeps bit 31 unsigned when clearing', read(false), 2 ** 31 + 40, 2 ** 31 + 8],
  ])('%s', (_, action, status, expected) => {
    expect(after(sessionState({ status }), action)).toEqual(sessionState({ status: expected }));
  });
});

describe('session/changesetsChanged', () => {
  const entry = { label: 'All', uriTemplate: 'ahp-changeset:/s/changeset/session', changeKind: 'session' };

  it('R-38 stores the catalogue', () => {
    const state = after(sessionState(), { type: 'session/changesetsChanged', changesets: [entry] });
    expect(state).toEqual(sessionState({ changesets: [entry] }));
  });

  it('R-38 an empty list is stored, a missing one deletes', () => {
    const before = sessionState({ changesets: [entry] });
    expect(after(before, { type: 'session/changesetsChanged', changesets: [] }).changesets).toEqual([]);
    expect(onTheWire(after(before, { type: 'session/changesetsChanged' }))).toStrictEqual(sessionState());
  });
});

describe('session/configChanged', () => {
  const schema = { type: 'object' as const, properties: {} };
  const before = sessionState({ config: withExtras({ schema, values: { a: 1, b: 2 } }) });

  it('R-39 merges', () => {
    const state = after(before, { type: 'session/configChanged', config: { b: 3, c: null } });
    expect(state.config).toEqual(withExtras({ schema, values: { a: 1, b: 3, c: null } }));
  });

  it('R-39 replaces', () => {
    const state = after(before, { type: 'session/configChanged', config: { b: 3 }, replace: true });
    expect(state.config).toEqual(withExtras({ schema, values: { b: 3 } }));
  });

  it('R-39 is a no-op without a configuration', () => {
    const bare = sessionState();
    expect(after(bare, { type: 'session/configChanged', config: { b: 3 } })).toBe(bare);
  });
});

describe('session/metaChanged', () => {
  it('R-40 replaces the whole member, and clears it', () => {
    const before = sessionState({ _meta: { a: 1 } });
    const state = after(before, { type: 'session/metaChanged', _meta: { b: null } });
    expect(state).toEqual(sessionState({ _meta: { b: null } }));
    expect(onTheWire(after(state, { type: 'session/metaChanged' }))).toStrictEqual(sessionState());
  });
});

describe('tools', () => {
  it('R-41 session/serverToolsChanged replaces the list', () => {
    const before = sessionState({ serverTools: [{ name: 'old' }] });
    expect(after(before, { type: 'session/serverToolsChanged', tools: [{ name: 'open_editor' }] })).toEqual(
      sessionState({ serverTools: [{ name: 'open_editor' }] }),
    );
  });
});

describe('active clients', () => {
  const laptop = { clientId: 'laptop', tools: [], displayName: 'My laptop' };
  const phone = { clientId: 'phone', tools: [] };
  const set = (activeClient: SessionActiveClient): SessionAction => ({ type: 'session/activeClientSet', activeClient });
  const removed = (clientId: string): SessionAction => ({ type: 'session/activeClientRemoved', clientId });

  it('R-42 are added at the end', () => {
    const before = sessionState({ customizations: [plugin('p')] });
    expect(after(before, set(laptop), set(phone))).toEqual({ ...before, activeClients: [laptop, phone] });
  });

  it('R-43 are replaced wholly and in place', () => {
    const before = sessionState({ activeClients: [withExtras(laptop), phone] });
    const again = { clientId: 'laptop', tools: [{ name: 'open_editor' }] };
    expect(onTheWire(after(before, set(again)).activeClients)).toStrictEqual([again, phone]);
  });

  it('R-42 are removed by name', () => {
    const before = sessionState({ activeClients: [laptop, phone] });
    expect(after(before, removed('laptop')).activeClients).toEqual([phone]);
    expect(after(before, removed('desk'))).toBe(before);
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = sessionState();
  expect(after(before, foreign({ type: 'session/cloned' }))).toBe(before);
});
