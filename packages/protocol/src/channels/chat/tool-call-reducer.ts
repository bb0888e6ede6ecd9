import type { ActionOf } from '../action-table.js';
import type { ConfirmationOption } from './confirmation.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type {
  ToolCallAuthRequiredState,
  ToolCallBase,
  ToolCallContributor,
  ToolCallPendingConfirmationState,
  ToolCallState,
} from './tool-call.js';

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
  const { toolCallId, toolName, displayName, intention, contributor } = call;
  return { toolCallId, toolName, displayName, intention, contributor, _meta: meta ?? call._meta };
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
    case 'chat/toolCallAuthRequired':
      return authRequired(call, action);
    case 'chat/toolCallAuthResolved':
      return authResolved(call, action);
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
    partialInput: action.content === undefined ? call.partialInput : (call.partialInput ?? '') + action.content,
    invocationMessage: action.invocationMessage ?? call.invocationMessage,
  };
}

function ready(call: ToolCallState, action: Of<'chat/toolCallReady'>): ToolCallState {
  if (call.status !== 'streaming' && call.status !== 'running' && call.status !== 'pending-confirmation') return call;
  const base = {
    ...callBase(call, action._meta),
    intention: action.intention ?? call.intention,
    contributor: refinedContributor(call.contributor, action.contributor),
    invocationMessage: action.invocationMessage,
    toolInput: action.toolInput ?? (call.status === 'streaming' ? undefined : call.toolInput),
  };
  if (action.confirmed) return { ...base, status: 'running', confirmed: action.confirmed };
  // A question that is asked again keeps what it does not say anew.
  const pending: Partial<ToolCallPendingConfirmationState> = call.status === 'pending-confirmation' ? call : {};
  const options = action.options ?? pending.options;
  return {
    ...base,
    status: 'pending-confirmation',
    confirmationTitle: action.confirmationTitle ?? pending.confirmationTitle,
    riskAssessment: action.riskAssessment ?? pending.riskAssessment,
    edits: action.edits ?? pending.edits,
    editable: action.editable ?? pending.editable,
    ...(options && { options }),
  };
}

/** What a host learns of a call later may name the server that runs it; a call never moves to or between clients. */
function refinedContributor(
  known: ToolCallContributor | undefined,
  refined: ToolCallContributor | undefined,
): ToolCallContributor | undefined {
  return refined?.kind === 'mcp' && known?.kind !== 'client' ? refined : known;
}

function authRequired(call: ToolCallState, action: Of<'chat/toolCallAuthRequired'>): ToolCallState {
  if (call.status !== 'running' || call.contributor?.kind !== 'mcp') return call;
  const { invocationMessage, toolInput, confirmed, selectedOption, content, contributor } = call;
  return {
    ...callBase(call, action._meta),
    contributor,
    status: 'auth-required',
    invocationMessage,
    toolInput,
    confirmed,
    ...selected(selectedOption),
    auth: action.auth,
    content,
  };
}

function authResolved(call: ToolCallState, action: Of<'chat/toolCallAuthResolved'>): ToolCallState {
  if (call.status !== 'auth-required') return call;
  const { invocationMessage, toolInput, confirmed, selectedOption, content } = call;
  return {
    ...callBase(call, action._meta),
    status: 'running',
    invocationMessage,
    toolInput,
    confirmed,
    ...selected(selectedOption),
    content,
  };
}

function confirmed(call: ToolCallState, action: Of<'chat/toolCallConfirmed'>): ToolCallState {
  if (call.status !== 'pending-confirmation') return call;
  const base = { ...callBase(call, action._meta), invocationMessage: call.invocationMessage };
  const chosen = selected(call.options?.find((option) => option.id === action.selectedOptionId));
  if (action.approved) {
    // The text behind a reference is rewritten by the host before it confirms.
    const isText = call.toolInput === undefined || typeof call.toolInput === 'string';
    const toolInput = isText ? (action.editedToolInput ?? call.toolInput) : call.toolInput;
    return { ...base, status: 'running', toolInput, confirmed: action.confirmed, ...chosen };
  }
  const { reason, reasonMessage, userSuggestion } = action;
  return { ...base, status: 'cancelled', toolInput: call.toolInput, reason, reasonMessage, userSuggestion, ...chosen };
}

function complete(call: ToolCallState, action: Of<'chat/toolCallComplete'>): ToolCallState {
  if (call.status === 'auth-required') return abandoned(call, action);
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

/** Without the token that it waits for, a call can only fail, and there is no result to confirm. */
function abandoned(call: ToolCallAuthRequiredState, action: Of<'chat/toolCallComplete'>): ToolCallState {
  if (action.result.success) return call;
  return {
    status: 'completed',
    ...callBase(call, action._meta),
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    confirmed: call.confirmed,
    ...selected(call.selectedOption),
    ...action.result,
    content: action.result.content ?? call.content,
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
