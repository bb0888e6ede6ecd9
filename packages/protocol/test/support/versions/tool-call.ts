import type { Rules } from './rules.js';
import { list, object, type Wire } from './wire.js';

/** Whether a call waits for the user. */
export function waits({ status }: Wire): boolean {
  return status === 'pending-confirmation' || status === 'pending-result-confirmation' || status === 'auth-required';
}

export function isUnderWay({ status }: Wire): boolean {
  return status !== 'completed' && status !== 'cancelled';
}

/** A call that is under way when its turn ends. */
export function skippedCall(rules: Rules, call: Wire): Wire {
  return {
    ...base(rules, call),
    status: 'cancelled',
    invocationMessage: call.invocationMessage ?? '',
    toolInput: call.status === 'streaming' ? undefined : call.toolInput,
    reason: 'skipped',
  };
}

export function reduceToolCall(rules: Rules, parts: readonly Wire[], action: Wire): readonly Wire[] {
  if (action.type === 'chat/toolCallStart') {
    return [...parts, { kind: 'toolCall', toolCall: { ...base(rules, action), status: 'streaming' } }];
  }
  return parts.map((part) => {
    const call = object(part.toolCall);
    if (part.kind !== 'toolCall' || call.toolCallId !== action.toolCallId) return part;
    return { ...part, toolCall: next(rules, call, action) };
  });
}

function next(rules: Rules, call: Wire, action: Wire): Wire {
  switch (action.type) {
    case 'chat/toolCallDelta':
      return call.status === 'streaming' ? delta(call, action) : call;
    case 'chat/toolCallReady':
      return ready(rules, call, action);
    case 'chat/toolCallConfirmed':
      return call.status === 'pending-confirmation' ? confirmed(rules, call, action) : call;
    case 'chat/toolCallComplete':
      return complete(rules, call, action);
    case 'chat/toolCallResultConfirmed':
      return call.status === 'pending-result-confirmation' ? resultConfirmed(rules, call, action) : call;
    case 'chat/toolCallContentChanged':
      return call.status === 'running' ? { ...call, ...meta(action), content: action.content } : call;
    case 'chat/toolCallAuthRequired':
      return rules.hasInputParts ? authRequired(rules, call, action) : call;
    case 'chat/toolCallAuthResolved':
      return rules.hasInputParts && call.status === 'auth-required' ? authResolved(rules, call, action) : call;
    default:
      return call;
  }
}

function base(rules: Rules, call: Wire, action: Wire = {}): Wire {
  const { toolCallId, toolName, displayName, contributor, intention } = call;
  const known = { toolCallId, toolName, displayName, contributor, _meta: action._meta ?? call._meta };
  return rules.listsInputNeeded ? { ...known, intention } : known;
}

function delta(call: Wire, { content, invocationMessage, ...action }: Wire): Wire {
  return {
    ...call,
    ...meta(action),
    partialInput: content === undefined ? call.partialInput : `${call.partialInput ?? ''}${content}`,
    invocationMessage: invocationMessage ?? call.invocationMessage,
  };
}

function ready(rules: Rules, call: Wire, action: Wire): Wire {
  const isPending = call.status === 'pending-confirmation';
  if (call.status !== 'streaming' && call.status !== 'running' && !(isPending && rules.hasInputParts)) return call;
  const keeps = rules.hasInputParts && call.status !== 'streaming';
  const described = {
    ...base(rules, call, action),
    ...(rules.hasDirectories && refined(call, action)),
    invocationMessage: action.invocationMessage,
    toolInput: action.toolInput ?? (keeps ? call.toolInput : undefined),
  };
  if (action.confirmed) return { ...described, status: 'running', confirmed: action.confirmed };
  const kept = isPending ? call : {};
  return {
    ...described,
    status: 'pending-confirmation',
    confirmationTitle: action.confirmationTitle ?? kept.confirmationTitle,
    edits: action.edits ?? kept.edits,
    editable: action.editable ?? kept.editable,
    options: action.options ?? kept.options,
    ...(rules.hasInputParts && { riskAssessment: action.riskAssessment ?? kept.riskAssessment }),
  };
}

function refined(call: Wire, { contributor, intention }: Wire): Wire {
  const isRefined = object(contributor).kind === 'mcp' && object(call.contributor).kind !== 'client';
  return { intention: intention ?? call.intention, contributor: isRefined ? contributor : call.contributor };
}

function confirmed(rules: Rules, call: Wire, action: Wire): Wire {
  const known = { ...base(rules, call, action), invocationMessage: call.invocationMessage };
  const chosen = selected(list(call.options).find(({ id }) => id === action.selectedOptionId));
  if (!action.approved) {
    const { reason, reasonMessage, userSuggestion } = action;
    return {
      ...known,
      status: 'cancelled',
      toolInput: call.toolInput,
      reason,
      reasonMessage,
      userSuggestion,
      ...chosen,
    };
  }
  const isKept = rules.hasDirectories && typeof call.toolInput === 'object';
  const toolInput = isKept ? call.toolInput : (action.editedToolInput ?? call.toolInput);
  return { ...known, status: 'running', toolInput, confirmed: action.confirmed, ...chosen };
}

function complete(rules: Rules, call: Wire, action: Wire): Wire {
  const { status, invocationMessage, toolInput } = call;
  const result = object(action.result);
  const known = { ...base(rules, call, action), invocationMessage, toolInput };
  if (status === 'auth-required') {
    if (result.success) return call;
    const content = result.content ?? call.content;
    return {
      ...known,
      status: 'completed',
      confirmed: call.confirmed,
      ...selected(call.selectedOption),
      ...result,
      content,
    };
  }
  if (status !== 'running' && status !== 'pending-confirmation') return call;
  return {
    status: action.requiresResultConfirmation ? 'pending-result-confirmation' : 'completed',
    ...known,
    confirmed: status === 'running' ? call.confirmed : 'not-needed',
    ...selected(status === 'running' ? call.selectedOption : undefined),
    ...result,
  };
}

function resultConfirmed(rules: Rules, call: Wire, action: Wire): Wire {
  const { invocationMessage, toolInput, selectedOption } = call;
  const known = { ...base(rules, call, action), invocationMessage, toolInput, ...selected(selectedOption) };
  if (!action.approved) return { ...known, status: 'cancelled', reason: 'result-denied' };
  const { confirmed: reason, success, pastTenseMessage, content, structuredContent, error } = call;
  return {
    ...known,
    status: 'completed',
    confirmed: reason,
    success,
    pastTenseMessage,
    content,
    structuredContent,
    error,
  };
}

function authRequired(rules: Rules, call: Wire, action: Wire): Wire {
  if (call.status !== 'running' || object(call.contributor).kind !== 'mcp') return call;
  return { ...running(rules, call, action), status: 'auth-required', auth: action.auth };
}

function authResolved(rules: Rules, call: Wire, action: Wire): Wire {
  return { ...running(rules, call, action), status: 'running' };
}

function running(rules: Rules, call: Wire, action: Wire): Wire {
  const { invocationMessage, toolInput, confirmed: reason, selectedOption, content } = call;
  const known = { ...base(rules, call, action), invocationMessage, toolInput, confirmed: reason, content };
  return { ...known, ...selected(selectedOption) };
}

function selected(option: unknown): Wire {
  return option ? { selectedOption: option } : {};
}

function meta({ _meta }: Wire): Wire {
  return _meta ? { _meta } : {};
}
