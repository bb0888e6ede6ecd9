import type { ActionOf } from '../action-table.js';
import type { ConfirmationOption } from './confirmation.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type { ToolCallBase, ToolCallState } from './tool-call.js';

type ChatAction = ActionOf<'chat'>;
type ToolCallAction = Extract<ChatAction, { toolCallId: string }>;
type Of<T extends ToolCallAction['type']> = Extract<ToolCallAction, { type: T }>;

/** Changes every call with the action's id in the active turn; calls that are in another state stay as they are. */
export function reduceToolCall(state: ChatState, action: ToolCallAction): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== action.turnId) return state;
  const parts = turn.responseParts;
  const changed = action.type === 'chat/toolCallStart' ? [...parts, started(action)] : mapCalls(parts, action);
  return changed === parts ? state : { ...state, activeTurn: { ...turn, responseParts: changed } };
}

/** What a call keeps in every state; a new `_meta` replaces the old one as a whole. */
export function callBase(call: ToolCallBase, meta: ToolCallBase['_meta']): ToolCallBase {
  const { toolCallId, toolName, displayName, contributor } = call;
  return { toolCallId, toolName, displayName, contributor, _meta: meta ?? call._meta };
}

function mapCalls(parts: ResponsePart[], action: Exclude<ToolCallAction, Of<'chat/toolCallStart'>>): ResponsePart[] {
  let changed = false;
  const mapped = parts.map((part) => {
    if (part.kind !== 'toolCall' || part.toolCall.toolCallId !== action.toolCallId) return part;
    const toolCall = next(part.toolCall, action);
    if (toolCall === part.toolCall) return part;
    changed = true;
    return { ...part, toolCall };
  });
  return changed ? mapped : parts;
}

function next(call: ToolCallState, action: Exclude<ToolCallAction, Of<'chat/toolCallStart'>>): ToolCallState {
  switch (action.type) {
    case 'chat/toolCallDelta':
      return delta(call, action);
    case 'chat/toolCallReady':
      return ready(call, action);
    case 'chat/toolCallConfirmed':
      return confirmed(call, action);
    case 'chat/toolCallComplete':
      return complete(call, action);
    case 'chat/toolCallResultConfirmed':
      return resultConfirmed(call, action);
    case 'chat/toolCallContentChanged':
      return call.status === 'running' ? { ...call, ...metaOf(action), content: action.content } : call;
  }
}

function started(action: Of<'chat/toolCallStart'>): ResponsePart {
  return { kind: 'toolCall', toolCall: { ...callBase(action, undefined), status: 'streaming' } };
}

function delta(call: ToolCallState, action: Of<'chat/toolCallDelta'>): ToolCallState {
  if (call.status !== 'streaming') return call;
  return {
    ...call,
    ...metaOf(action),
    partialInput: (call.partialInput ?? '') + action.content,
    invocationMessage: action.invocationMessage ?? call.invocationMessage,
  };
}

function ready(call: ToolCallState, action: Of<'chat/toolCallReady'>): ToolCallState {
  if (call.status !== 'streaming' && call.status !== 'running') return call;
  const { invocationMessage, toolInput, confirmationTitle, edits, editable, options } = action;
  const base = { ...callBase(call, action._meta), invocationMessage, toolInput };
  if (action.confirmed) return { ...base, status: 'running', confirmed: action.confirmed };
  return {
    ...base,
    status: 'pending-confirmation',
    confirmationTitle,
    edits,
    editable,
    ...(options && { options }),
  };
}

function confirmed(call: ToolCallState, action: Of<'chat/toolCallConfirmed'>): ToolCallState {
  if (call.status !== 'pending-confirmation') return call;
  const base = { ...callBase(call, action._meta), invocationMessage: call.invocationMessage };
  const chosen = selected(call.options?.find((option) => option.id === action.selectedOptionId));
  if (action.approved) {
    const toolInput = action.editedToolInput ?? call.toolInput;
    return { ...base, status: 'running', toolInput, confirmed: action.confirmed, ...chosen };
  }
  const { reason, reasonMessage, userSuggestion } = action;
  return { ...base, status: 'cancelled', toolInput: call.toolInput, reason, reasonMessage, userSuggestion, ...chosen };
}

function complete(call: ToolCallState, action: Of<'chat/toolCallComplete'>): ToolCallState {
  if (call.status !== 'running' && call.status !== 'pending-confirmation') return call;
  return {
    status: action.requiresResultConfirmation ? 'pending-result-confirmation' : 'completed',
    ...callBase(call, action._meta),
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    confirmed: call.status === 'running' ? call.confirmed : 'not-needed',
    ...selected(call.status === 'running' ? call.selectedOption : undefined),
    ...action.result,
  };
}

function resultConfirmed(call: ToolCallState, action: Of<'chat/toolCallResultConfirmed'>): ToolCallState {
  if (call.status !== 'pending-result-confirmation') return call;
  const base = {
    ...callBase(call, action._meta),
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    ...selected(call.selectedOption),
  };
  if (!action.approved) return { ...base, status: 'cancelled', reason: 'result-denied' };
  const { confirmed, success, pastTenseMessage, content, structuredContent, error } = call;
  return { ...base, status: 'completed', confirmed, success, pastTenseMessage, content, structuredContent, error };
}

function selected(option: ConfirmationOption | undefined): { selectedOption?: ConfirmationOption } {
  return option ? { selectedOption: option } : {};
}

function metaOf(action: { _meta?: ToolCallBase['_meta'] }): { _meta?: ToolCallBase['_meta'] } {
  return action._meta ? { _meta: action._meta } : {};
}
