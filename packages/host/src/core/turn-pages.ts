import type { ActionOf, ChatState } from '@moorage/protocol';

/**
 * A chat with only its newest turns, and a cursor for those before. The cursor is the index of the oldest turn that is
 * shown: turns are only ever added or removed at the end, so it stays right.
 */
export function newestTurns(chat: ChatState, count: number): ChatState {
  const start = Math.max(0, chat.turns.length - Math.max(0, count));
  return start === 0 ? chat : { ...chat, turns: chat.turns.slice(start), turnsNextCursor: String(start) };
}

/** The action that shows the turns before a cursor; undefined when there is no such cursor. */
export function turnsBefore(chat: ChatState, cursor: string, count: number): ActionOf<'chat'> | undefined {
  if (!/^\d{1,9}$/.test(cursor)) return undefined;
  const end = Math.min(Number(cursor), chat.turns.length);
  const start = Math.max(0, end - count);
  return {
    type: 'chat/turnsLoaded',
    turns: chat.turns.slice(start, end),
    ...(start > 0 && { turnsNextCursor: String(start) }),
  };
}
