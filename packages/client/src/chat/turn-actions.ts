import type { ActiveTurn, ChatTurnCancelledAction, ChatTurnStartedAction, Message } from '@moorage/protocol';

/** The action with which a client starts a turn; `now` is in milliseconds since the epoch. */
export function turnStarted(turnId: string, message: Message, now = Date.now()): ChatTurnStartedAction {
  return { type: 'chat/turnStarted', turnId, startedAt: new Date(now).toISOString(), message };
}

/** The action with which a client ends the turn that runs. */
export function turnCancelled(
  { id, startedAt }: Pick<ActiveTurn, 'id' | 'startedAt'>,
  now = Date.now(),
): ChatTurnCancelledAction {
  const duration = Math.max(0, now - Date.parse(startedAt));
  return { type: 'chat/turnCancelled', turnId: id, duration: Number.isFinite(duration) ? duration : 0 };
}
