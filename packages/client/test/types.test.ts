import type { ActionEnvelope, ActionOf, ChatState, ListSessionsResult } from '@moorage/protocol';
import { expectTypeOf, it } from 'vitest';
import type { Client, Mirror } from '../src/index.js';

/** Never called: what matters is that it compiles, and that the marked lines do not. */
async function _uses(client: Client): Promise<void> {
  expectTypeOf(await client.request('listSessions')).toEqualTypeOf<ListSessionsResult>();
  await client.request('ping');
  await client.request('ping', {}, { timeoutMs: false });
  await client.request('resourceRead', { uri: 'file:///a' });
  await client.request('createSession', { channel: 'ahp-session:/s' });
  // @ts-expect-error a session needs a channel
  await client.request('createSession');
  // @ts-expect-error the client does this by itself
  await client.request('subscribe', { channel: 'ahp-chat:/c' });
  // @ts-expect-error only the host may ask that, and only these
  client.handle('listSessions', () => ({ items: [] }));

  const chat = await client.subscribe<'chat'>('ahp-chat:/c');
  expectTypeOf(chat).toEqualTypeOf<Mirror<'chat'>>();
  expectTypeOf(chat.optimistic).toEqualTypeOf<ChatState>();
  expectTypeOf(await client.subscribe('copilot:/c', { kind: 'chat' })).toEqualTypeOf<Mirror<'chat'>>();
  expectTypeOf(
    await chat.dispatch({ type: 'chat/turnCancelled', turnId: 't', duration: 0 }),
  ).toEqualTypeOf<ActionEnvelope>();
  // @ts-expect-error not an action of a chat
  await chat.dispatch({ type: 'session/titleChanged', title: 'x' });

  chat.onAction(({ action }) => expectTypeOf(action).toEqualTypeOf<ActionOf<'chat'>>());

  client.on('auth/required', ({ resource }) => expectTypeOf(resource.resource).toEqualTypeOf<string>());
  // @ts-expect-error no such notification
  client.on('root/nothing', () => {});
}

it('is typed', () => {
  expectTypeOf(_uses).toBeFunction();
});
