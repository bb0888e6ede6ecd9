import type { ActionOf } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { HostContext } from '../context.js';

type End = Extract<ActionOf<'chat'>, { type: 'chat/error' | 'chat/turnCancelled' }>;

/** Ends a turn for the host, if it is still active: also later, if that cannot be stored now. */
export function endTurn({ door }: Pick<HostContext, 'door'>, chat: Channel<'chat'>, end: End): void {
  if (chat.state.activeTurn?.id !== end.turnId) return;
  door.commit(chat, end, { again: (same) => endTurn({ door }, same, end) });
}
