import { SessionStatus, withActivity } from '../../common/status.js';
import type { ChatState } from './state.js';
import type { ActiveTurn } from './turn.js';

/** The chat with the activity bits of its status recomputed; the same object if they do not change. */
export function withRefreshedStatus(state: ChatState): ChatState {
  const status = withActivity(state.status, activityOfChat(state));
  return status === state.status ? state : { ...state, status };
}

/** Time stamps of chats are ISO strings, those of sessions numbers (B-16). */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function activityOfChat(state: ChatState): number {
  if (state.inputRequests?.length) return SessionStatus.InputNeeded;
  if (!state.activeTurn) return SessionStatus.Idle;
  return waitsForConfirmation(state.activeTurn) ? SessionStatus.InputNeeded : SessionStatus.InProgress;
}

function waitsForConfirmation(turn: ActiveTurn): boolean {
  return turn.responseParts.some(
    (part) =>
      part.kind === 'toolCall' &&
      (part.toolCall.status === 'pending-confirmation' || part.toolCall.status === 'pending-result-confirmation'),
  );
}
