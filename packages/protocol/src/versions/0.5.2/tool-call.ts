import type { AddressedAction } from '../dialect.js';
import { findCall } from '../shared/find-call.js';
import { asObject, defined, isSameJson, type WireAction, type WireObject, without } from '../shared/wire.js';
import type { About, Around } from '../step.js';

/** 0.5.2 assesses no risks, and a call that waits for a token just runs. */
export function knownCall(later: WireObject): WireObject {
  const call = without(later, 'riskAssessment');
  return call.status === 'auth-required' ? { ...without(call, 'auth'), status: 'running' } : call;
}

/**
 * A call that is described anew. In 0.5.2 that replaces all of the description, and one that waits for approval cannot be
 * described anew at all: it is approved first, and asks again at once. A client that runs the tool itself would begin to.
 */
export function readyDown(action: WireAction, around: Around): WireObject | readonly AddressedAction[] {
  if (!around.after) return replayedReady(action, around);
  const [was, is] = [findCall(around.before, action), findCall(around.after, action)];
  if (was?.status === 'auth-required') return []; // it cannot be described anew, but 0.5.2 takes it for one that runs
  if (!was || !is || (was.status !== 'running' && was.status !== 'pending-confirmation')) return action;
  const { channel } = around;
  const whole: WireAction = { ...action, ...defined('toolInput', is.toolInput), ...questionOf(is) };
  if (was.status === 'running') return whole;
  if (!action.confirmed && asObject(was.contributor).kind === 'client') return [];
  const { turnId, toolCallId } = action;
  const approval = { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: true, confirmed: 'not-needed' };
  return [
    { channel, action: approval },
    { channel, action: whole },
  ];
}

/** A call that waits for approval does not change any more in 0.5.2. */
export function readyUp(action: WireAction, { channel, directory }: About): WireObject | readonly [] {
  return findCall(directory.chat(channel), action)?.status === 'pending-confirmation' ? [] : action;
}

/** Whether the call was described before cannot be seen; if it shows something else by now, it may have been. */
function replayedReady(action: WireAction, around: Around): WireObject {
  const call = findCall(around.directory.chat(around.channel), action);
  const isLatest =
    isSameJson(call?.invocationMessage, action.invocationMessage) && isSameJson(call?.toolInput, action.toolInput);
  if (!isLatest) around.needsStates();
  return action;
}

function questionOf(call: WireObject): WireObject {
  if (call.status !== 'pending-confirmation') return {};
  const { confirmationTitle, riskAssessment, edits, editable, options } = call;
  return {
    ...defined('confirmationTitle', confirmationTitle),
    ...defined('riskAssessment', riskAssessment),
    ...defined('edits', edits),
    ...defined('editable', editable),
    ...defined('options', options),
  };
}

/** A call that waits for a token can only fail, and keeps what it had shown; 0.5.2 takes it for one that runs. */
export function completeDown(action: WireAction, around: Around): WireObject | readonly AddressedAction[] {
  if (findCall(around.before, action)?.status !== 'auth-required') return action;
  if (asObject(action.result).success) return [];
  const { content } = findCall(around.after, action) ?? {};
  const result = { ...asObject(action.result), ...defined('content', content) };
  return { ...without(action, 'requiresResultConfirmation'), result };
}

/** Nor can it show anything new. */
export function contentChangedDown(action: WireAction, around: Around): WireObject | readonly AddressedAction[] {
  return findCall(around.before, action)?.status === 'auth-required' ? [] : action;
}
