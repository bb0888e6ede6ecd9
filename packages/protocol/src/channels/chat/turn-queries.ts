import type { ErrorInfo } from '../../common/error-info.js';
import type { AgentSelection, ModelSelection } from '../../common/selection.js';
import { SessionStatus, withActivity } from '../../common/status.js';
import { isOpenRequest } from './input-reducer.js';
import type { ChatInputRequest } from './input-request.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type { Turn } from './turn.js';

/** What the agent has asked the user and nobody has answered yet. */
export function openRequests({ activeTurn }: Pick<ChatState, 'activeTurn'>): ChatInputRequest[] {
  return activeTurn?.responseParts.flatMap((part) => (isOpenRequest(part) ? [part.request] : [])) ?? [];
}

/** Why a turn ended early; undefined when it did not. */
export function errorOf({ state, responseParts }: Turn): ErrorInfo | undefined {
  const part = state === 'error' ? responseParts.at(-1) : undefined;
  return part?.kind === 'error' ? part.error : undefined;
}

/** The model and the custom agent for the next message of a chat: those of its draft, else those of its last message. */
export function selectionOf({ draft, activeTurn, turns }: Pick<ChatState, 'draft' | 'activeTurn' | 'turns'>): {
  readonly model?: ModelSelection | undefined;
  readonly agent?: AgentSelection | undefined;
} {
  const { model, agent } = draft?.model || draft?.agent ? draft : ((activeTurn ?? turns.at(-1))?.message ?? {});
  return { model, agent };
}

/** Whether a turn ended in an error after which `chat/turnResume` may take it up again. */
export function isResumable(turn: Turn): boolean {
  const part = turn.responseParts.at(-1);
  return turn.state === 'error' && part?.kind === 'error' && part.resumable === true;
}

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
