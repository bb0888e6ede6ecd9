import { SessionStatus, withActivity } from '../../common/status.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';

/** The chat with the activity bits of its status recomputed; the same object if they do not change. */
export function withRefreshedStatus(state: ChatState): ChatState {
  const status = withActivity(state.status, activityOfChat(state));
  return status === state.status ? state : { ...state, status };
}

/** Whether a part of the active turn waits for the user. */
function waitsForUser(part: ResponsePart): boolean {
  if (part.kind === 'inputRequest') return part.response === undefined;
  return part.kind === 'toolCall' && WAITING.has(part.toolCall.status);
}

const WAITING: ReadonlySet<string> = new Set(['pending-confirmation', 'pending-result-confirmation', 'auth-required']);

function activityOfChat({ activeTurn }: ChatState): number {
  if (!activeTurn) return SessionStatus.Idle;
  return activeTurn.responseParts.some(waitsForUser) ? SessionStatus.InputNeeded : SessionStatus.InProgress;
}
