import type { Client, Mirror } from '@moorage/client';
import type { ActionOf, ChatState, PluginCustomization, Turn } from '@moorage/protocol';
import { describe, expect, it, vi } from 'vitest';
import { sendInstead } from '../src/chat/send.js';
import { totalText } from '../src/chat/usage.js';
import { isEnabled, toggled } from '../src/customizations/entries.js';

const message = { text: 'Again', origin: { kind: 'user' as const } };
const turn = (id: string, inputTokens = 0): Turn => ({
  id,
  message,
  responseParts: [],
  state: 'complete',
  usage: { inputTokens },
});
const chat = (over: Partial<ChatState>): ChatState => ({
  resource: 'ahp-chat:/c',
  title: '',
  status: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  turns: [],
  ...over,
});

describe('what a chat has used', () => {
  it('says that it is more where not all turns are loaded', () => {
    const turns = [turn('a', 1_000), turn('b', 500)];
    expect(totalText(chat({ turns }))).toBe('1500 tokens');
    expect(totalText(chat({ turns, turnsNextCursor: '7' }))).toBe('1500+ tokens');
  });
});

describe('sending a message in place of a turn', () => {
  /** A chat of which a page of earlier turns can be loaded. */
  function longChat(state: ChatState, earlier: readonly Turn[]) {
    const dispatched: ActionOf<'chat'>[] = [];
    let now = state;
    const mirror = {
      uri: state.resource,
      get optimistic() {
        return now;
      },
      get confirmed() {
        return now;
      },
      dispatch: async (action: ActionOf<'chat'>) => void dispatched.push(action),
    };
    const request = vi.fn(async () => {
      const { turnsNextCursor: _, ...loaded } = now;
      now = { ...loaded, turns: [...earlier, ...now.turns] };
      return {};
    });
    return {
      dispatched,
      mirror: mirror as unknown as Mirror<'chat'>,
      client: { request } as unknown as Client,
      request,
    };
  }

  const kept = new Map<string, string>();
  const withStorage = async (work: () => Promise<void>) => {
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    });
    try {
      await work();
    } finally {
      vi.unstubAllGlobals();
    }
  };

  it.each([
    ['a loaded turn', 'c', '1', 'b', 0],
    ['the first that is loaded: the one before it is fetched, or everything would go', 'b', '1', 'a', 1],
    ['the first of all', 'b', undefined, undefined, 0],
  ])('removes %s', async (_, id, turnsNextCursor, last, fetched) => {
    const state = chat({ turns: [turn('b'), turn('c')], ...(turnsNextCursor !== undefined && { turnsNextCursor }) });
    const { dispatched, mirror, client, request } = longChat(state, [turn('a')]);
    await withStorage(() => sendInstead(client, mirror, id, message));
    expect(dispatched[0]).toEqual({ type: 'chat/truncated', ...(last !== undefined && { turnId: last }) });
    expect(dispatched[1]).toMatchObject({ type: 'chat/turnStarted', message });
    expect(request).toHaveBeenCalledTimes(fetched);
  });
});

describe('switching a customization', () => {
  const plugin = (enablement?: PluginCustomization['enablement']): PluginCustomization => ({
    type: 'plugin',
    id: 'p',
    uri: 'file:///p',
    name: 'p',
    ...(enablement && { enablement }),
  });
  const everywhere = { kind: 'global' as const, enabled: false };

  it('decides for this session, before what was decided more widely', () => {
    expect(isEnabled(plugin())).toBe(true);
    expect(isEnabled(plugin([everywhere]))).toBe(false);
    const on = toggled(plugin([everywhere]), true);
    expect(on).toEqual([{ kind: 'session', enabled: true }, everywhere]);
    expect(isEnabled(plugin(on))).toBe(true);
    expect(toggled(plugin(on), false)).toEqual([{ kind: 'session', enabled: false }, everywhere]);
  });
});
