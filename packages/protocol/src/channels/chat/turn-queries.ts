import type { ErrorInfo } from '../../common/error-info.js';
import type { AgentSelection, ModelSelection } from '../../common/selection.js';
import { isOpenRequest } from './input-reducer.js';
import type { ChatInputRequest } from './input-request.js';
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
