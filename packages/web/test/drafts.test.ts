import type { Mirror } from '@moorage/client';
import { type ActionOf, type ChatState, type Message, reduce, selectionOf } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseModel, type DraftSharing, shareDraft } from '../src/chat/draft-sharing.js';
import { changeDraft, draftOf } from '../src/chat/drafts.js';
import { sendDraft } from '../src/chat/send.js';

const user = { kind: 'user' as const };
const large = { id: 'large' };

/** A chat whose host agrees to everything at once. */
class FakeChat {
  static #count = 0;
  readonly uri = `ahp-chat:/${FakeChat.#count++}`; // drafts are kept by chat
  optimistic: ChatState;
  readonly dispatched: ActionOf<'chat'>[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(over: Partial<ChatState> = {}) {
    const time = '2026-01-01T00:00:00.000Z';
    this.optimistic = { resource: this.uri, title: '', status: 1, modifiedAt: time, turns: [], ...over };
  }

  get confirmed(): ChatState {
    return this.optimistic;
  }

  /** As a mirror that components and functions take. */
  get mirror(): Mirror<'chat'> {
    return this as unknown as Mirror<'chat'>;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispatch(action: ActionOf<'chat'>): Promise<unknown> {
    this.dispatched.push(action);
    this.apply(action);
    return Promise.resolve();
  }

  /** An action of somebody else. */
  apply(action: ActionOf<'chat'>): void {
    this.optimistic = reduce('chat', this.optimistic, action, { now: () => 0 });
    for (const listener of this.#listeners) listener();
  }

  get drafts(): (Message | undefined)[] {
    return this.dispatched.flatMap((action) => (action.type === 'chat/draftChanged' ? [action.draft] : []));
  }
}

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};

let isTyping = false;
const started: DraftSharing[] = [];

function share(chat: FakeChat): DraftSharing {
  const sharing = shareDraft(chat.mirror, () => isTyping);
  started.push(sharing);
  return sharing;
}

const type = (chat: FakeChat, text: string) => changeDraft(chat.uri, (now) => ({ ...now, text }));
const field = (chat: FakeChat) => draftOf(chat.uri).text;
const others = (text: string): ActionOf<'chat'> => ({ type: 'chat/draftChanged', draft: { text, origin: user } });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', storage);
});

afterEach(() => {
  for (const sharing of started.splice(0)) sharing.stop();
  isTyping = false;
  stored.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a draft that clients share', () => {
  it('is what the field starts with', () => {
    const chat = new FakeChat({ draft: { text: 'from elsewhere', origin: user } });
    share(chat);
    expect(field(chat)).toBe('from elsewhere');
    vi.runAllTimers();
    expect(chat.drafts).toEqual([]);
  });

  it('gets what is typed, a moment after the first letter and not with each', () => {
    const chat = new FakeChat();
    share(chat);
    for (const text of ['H', 'He', 'Hel']) type(chat, text);
    expect(chat.drafts).toEqual([]);
    vi.runAllTimers();
    expect(chat.drafts).toEqual([{ text: 'Hel', origin: user }]);
    type(chat, '');
    vi.runAllTimers();
    expect(chat.drafts.at(-1)).toBeUndefined();
    expect(chat.optimistic.draft).toBeUndefined();
  });

  it('keeps what others put beside the text', () => {
    const chat = new FakeChat({ draft: { text: '', origin: user, model: large, _meta: { a: 1 } } });
    share(chat);
    type(chat, 'Hello');
    vi.runAllTimers();
    expect(chat.drafts).toEqual([{ text: 'Hello', origin: user, model: large, _meta: { a: 1 } }]);
  });

  it('shows in the field when others write, and when they send it', () => {
    const chat = new FakeChat();
    share(chat);
    chat.apply(others('theirs'));
    expect(field(chat)).toBe('theirs');
    chat.apply({ type: 'chat/draftChanged' });
    expect(field(chat)).toBe('');
    vi.runAllTimers();
    expect(chat.drafts).toEqual([]);
  });

  it('does not change under the hands of a user, but after them', () => {
    const chat = new FakeChat();
    const sharing = share(chat);
    isTyping = true;
    chat.apply(others('theirs'));
    expect(field(chat)).toBe('');
    isTyping = false;
    sharing.adopt();
    expect(field(chat)).toBe('theirs');
  });

  it('is what was typed here, whatever came meanwhile', () => {
    const chat = new FakeChat();
    share(chat);
    type(chat, 'mine');
    chat.apply(others('theirs'));
    expect(field(chat)).toBe('mine');
    vi.runAllTimers();
    expect([field(chat), chat.optimistic.draft?.text]).toEqual(['mine', 'mine']);
  });

  it('gets the last words when the chat is left', () => {
    const chat = new FakeChat();
    const sharing = share(chat);
    type(chat, 'unfinished');
    sharing.stop();
    expect(chat.drafts).toEqual([{ text: 'unfinished', origin: user }]);
    type(chat, 'more');
    vi.runAllTimers();
    expect(chat.drafts).toHaveLength(1);
  });

  it('that is here from before a reload wins', () => {
    const chat = new FakeChat({ draft: { text: 'theirs', origin: user } });
    type(chat, 'mine');
    share(chat);
    vi.runAllTimers();
    expect([field(chat), chat.optimistic.draft?.text]).toEqual(['mine', 'mine']);
  });
});

describe('the model of the next message', () => {
  const send = async (chat: FakeChat, sharing: DraftSharing, text: string) => {
    type(chat, '');
    const sending = sendDraft(chat.mirror, 'queued', { text, attachments: [] });
    sharing.sent();
    await sending;
  };

  it('is chosen for everyone, and keeps the text', async () => {
    const chat = new FakeChat({ draft: { text: 'Hello', origin: user } });
    await chooseModel(chat.mirror, large);
    expect(chat.optimistic.draft).toEqual({ text: 'Hello', origin: user, model: large });
  });

  it('goes with the message, which clears the draft', async () => {
    const chat = new FakeChat();
    const sharing = share(chat);
    await chooseModel(chat.mirror, large);
    type(chat, 'Hello');
    await send(chat, sharing, 'Hello');
    expect(chat.optimistic.activeTurn?.message).toEqual({ text: 'Hello', origin: user, model: large });
    expect(chat.optimistic.draft).toBeUndefined();
    expect(selectionOf(chat.optimistic).model).toEqual(large);
    vi.runAllTimers();
    expect(chat.dispatched.at(-1)).toEqual({ type: 'chat/draftChanged' });
  });

  it('stays chosen while a message waits for a turn of another model', async () => {
    const message = { text: 'first', origin: user, model: { id: 'small' } };
    const activeTurn = { id: 't', startedAt: '2026-01-01T00:00:00.000Z', message, responseParts: [] };
    const chat = new FakeChat({ activeTurn });
    const sharing = share(chat);
    await chooseModel(chat.mirror, large);
    await send(chat, sharing, 'next');
    expect(chat.optimistic.queuedMessages).toMatchObject([{ message: { text: 'next', model: large } }]);
    expect(chat.optimistic.draft).toEqual({ text: '', origin: user, model: large });
  });

  it('is that of the last message where nobody chose', async () => {
    const message = { text: 'first', origin: user, model: large };
    const chat = new FakeChat({ turns: [{ id: 'a', message, responseParts: [], state: 'complete' }] });
    await send(chat, share(chat), 'next');
    expect(chat.optimistic.activeTurn?.message.model).toEqual(large);
    expect(chat.drafts).toEqual([]);
  });
});
