import type { ActionOf, ActiveTurn, ErrorInfo } from '@moorage/protocol';

type End<T extends 'chat/turnComplete' | 'chat/turnCancelled' | 'chat/error'> = Extract<ActionOf<'chat'>, { type: T }>;

export function completed(turn: ActiveTurn, now: number): End<'chat/turnComplete'> {
  return { type: 'chat/turnComplete', turnId: turn.id, duration: elapsed(turn, now) };
}

export function cancelled(turn: ActiveTurn, now: number): End<'chat/turnCancelled'> {
  return { type: 'chat/turnCancelled', turnId: turn.id, duration: elapsed(turn, now) };
}

export function failed(turn: ActiveTurn, error: ErrorInfo, now: number): End<'chat/error'> {
  return { type: 'chat/error', turnId: turn.id, duration: elapsed(turn, now), part: { kind: 'error', error } };
}

/** Milliseconds that a turn has taken. Its start is its sender's time, whose clock may be ahead. */
function elapsed({ startedAt }: ActiveTurn, now: number): number {
  return Math.max(0, now - Date.parse(startedAt));
}

/** Whether the host itself opened a turn, to say or ask something: no agent works on it. */
export function isOfHost({ message }: ActiveTurn): boolean {
  return message.origin.kind === 'systemNotification';
}
