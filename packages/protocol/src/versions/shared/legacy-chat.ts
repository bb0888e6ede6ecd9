import type { SessionState } from '../../channels/session/state.js';
import type { URI } from '../../common/uri.js';

/**
 * The chat that versions without chats show as the session's own: its first that no tool started. Unless the host reorders
 * the catalogue or removes that chat it stays the same, also across restarts and changes of the default chat.
 */
export function legacyChat(session: Pick<SessionState, 'chats'>): URI | undefined {
  const chat = session.chats.find(({ origin }) => origin?.kind !== 'tool') ?? session.chats[0];
  return chat?.resource;
}
