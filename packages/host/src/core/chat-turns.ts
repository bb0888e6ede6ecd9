import type { ChatState } from '@moorage/protocol';

/** Whether a chat has a turn with this id, active or finished. */
export function hasTurn(chat: ChatState, turnId: string): boolean {
  return chat.activeTurn?.id === turnId || chat.turns.some((turn) => turn.id === turnId);
}
