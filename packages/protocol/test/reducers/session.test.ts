import { describe, expect, it } from 'vitest';
import type { ChatSummary, SessionAction, SessionState } from '../../src/index.js';
import { apply, foreign, NOW, onTheWire, withExtras } from '../support/reducing.js';
import { chatSummary, error, plugin, sessionState, sessionWith } from '../support/samples.js';

function after(state: SessionState, ...actions: SessionAction[]): SessionState {
  return apply('session', state, ...actions);
}

describe('lifecycle', () => {
  it('R-26 session/ready changes the lifecycle and nothing else', () => {
    const before = { ...sessionWith({ status: 8 }), lifecycle: 'creating' as const, creationError: error };
    expect(after(before, { type: 'session/ready' })).toEqual({ ...before, lifecycle: 'ready' });
  });

  it('R-27 session/creationFailed keeps the error and the status', () => {
    const before = sessionState({ lifecycle: 'creating' });
    const state = after(before, { type: 'session/creationFailed', error });
    expect(state).toEqual({ ...before, lifecycle: 'creationFailed', creationError: error });
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

describe('summary', () => {
  const model = { id: 'opus', config: { effort: 'high' } };
  const agent = { uri: 'file:///agents/reviewer.md' };

  it('R-32 session/titleChanged touches', () => {
    const state = after(sessionState(), { type: 'session/titleChanged', title: 'Renamed' });
    expect(state).toEqual(sessionWith({ title: 'Renamed', modifiedAt: NOW }));
  });

  it('R-33 session/modelChanged takes the whole selection and touches', () => {
    const state = after(sessionWith({ model: { id: 'old', config: { a: 'b' } } }), {
      type: 'session/modelChanged',
      model,
    });
    expect(state).toEqual(sessionWith({ model, modifiedAt: NOW }));
  });

  it('R-34 session/agentChanged sets or clears, and touches', () => {
    const chosen = after(sessionState(), { type: 'session/agentChanged', agent });
    expect(chosen).toEqual(sessionWith({ agent, modifiedAt: NOW }));
    expect(after(chosen, { type: 'session/agentChanged' })).toEqual(sessionWith({ modifiedAt: NOW }));
  });

  it('R-37 session/activityChanged sets or clears, without a touch', () => {
    const busy = after(sessionState(), { type: 'session/activityChanged', activity: 'thinking' });
    expect(busy).toEqual(sessionWith({ activity: 'thinking' }));
    expect(after(busy, { type: 'session/activityChanged' })).toEqual(sessionState());
  });

  it('R-7 keeps unknown members of the summary', () => {
    const before = sessionState({ summary: withExtras(sessionState().summary) });
    const state = after(
      before,
      { type: 'session/titleChanged', title: 'x' },
      { type: 'session/isReadChanged', isRead: true },
    );
    expect(state.summary).toEqual(withExtras({ ...before.summary, title: 'x', modifiedAt: NOW, status: 33 }));
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
  ])('%s, without a touch', (_, action, status, expected) => {
    expect(after(sessionWith({ status }), action)).toEqual(sessionWith({ status: expected }));
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

  it('R-39 merges and touches', () => {
    const state = after(before, { type: 'session/configChanged', config: { b: 3, c: null } });
    expect(state.config).toEqual(withExtras({ schema, values: { a: 1, b: 3, c: null } }));
    expect(state.summary.modifiedAt).toBe(NOW);
  });

  it('R-39 replaces and touches', () => {
    const state = after(before, { type: 'session/configChanged', config: { b: 3 }, replace: true });
    expect(state.config).toEqual(withExtras({ schema, values: { b: 3 } }));
    expect(state.summary.modifiedAt).toBe(NOW);
  });

  it('R-39 is a no-op without a configuration: no touch either', () => {
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

describe('tools and active client', () => {
  const tool = { name: 'open_editor' };
  const client = { clientId: 'laptop', tools: [], displayName: 'My laptop' };

  it('R-41 session/serverToolsChanged replaces the list', () => {
    const before = sessionState({ serverTools: [{ name: 'old' }] });
    expect(after(before, { type: 'session/serverToolsChanged', tools: [tool] })).toEqual(
      sessionState({ serverTools: [tool] }),
    );
  });

  it('R-42 session/activeClientChanged sets the client, and null releases the role', () => {
    const before = sessionState({ customizations: [plugin('p')] });
    const claimed = after(before, { type: 'session/activeClientChanged', activeClient: client });
    expect(claimed).toEqual({ ...before, activeClient: client });
    const released = after(claimed, { type: 'session/activeClientChanged', activeClient: null });
    expect(onTheWire(released)).toStrictEqual(before);
  });

  it('R-42 an absent client releases too', () => {
    const before = sessionState({ activeClient: client });
    expect(after(before, foreign({ type: 'session/activeClientChanged' })).activeClient).toBeUndefined();
  });

  it('R-43 session/activeClientToolsChanged replaces the tools of the client', () => {
    const before = sessionState({ activeClient: withExtras(client) });
    const state = after(before, { type: 'session/activeClientToolsChanged', tools: [tool] });
    expect(state).toEqual(sessionState({ activeClient: withExtras({ ...client, tools: [tool] }) }));
  });

  it('R-43 is a no-op without one', () => {
    const before = sessionState();
    expect(after(before, { type: 'session/activeClientToolsChanged', tools: [tool] })).toBe(before);
  });
});

it('R-4 ignores an action type of a later version', () => {
  const before = sessionState();
  expect(after(before, foreign({ type: 'session/cloned' }))).toBe(before);
});
