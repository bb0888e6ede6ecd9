import type { ChatState, SessionState } from '@moorage/protocol';
import type { Channel } from './channel.js';
import type { ReadingDoor } from './door-parts.js';

/** Whether a chat has a turn with this id, active or finished. */
export function hasTurn(chat: ChatState, turnId: string): boolean {
  return chat.activeTurn?.id === turnId || chat.turns.some((turn) => turn.id === turnId);
}

/** The first chat of a session, other than `except`, that has a turn with this id. Loads chats that are not in memory. */
export function chatWithTurn(
  channels: ReadingDoor['channels'],
  session: SessionState | undefined,
  turnId: string,
  except?: string,
): Channel<'chat'> | undefined {
  for (const { resource } of session?.chats ?? []) {
    const chat = resource === except ? undefined : channels.find('chat', resource);
    if (chat && hasTurn(chat.state, turnId)) return chat;
  }
  return undefined;
}
