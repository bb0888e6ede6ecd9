import type { StateAction } from '@moorage/protocol';

/** Milliseconds by which a client's clock may differ before its times are replaced: what people do not notice in a list. */
const MAX_SKEW_MS = 60_000;

/** A client's action with the host's time where the client's clock is wrong: lists of sessions are sorted by such times. */
export function withHostTime(action: StateAction, now: number): StateAction {
  if (action.type !== 'chat/turnStarted') return action;
  const isRight = Math.abs(Date.parse(action.startedAt) - now) <= MAX_SKEW_MS;
  return isRight ? action : { ...action, startedAt: new Date(now).toISOString() };
}
