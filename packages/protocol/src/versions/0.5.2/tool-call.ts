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
  const whole: WireAction = { ...action, ...defined('toolInput', is.toolInput), ...questionOf(is) };
  if (was.status === 'running') return whole;
  if (!action.confirmed && asObject(was.contributor).kind === 'client') return [];
  return approvedFirst(action, whole, around);
}

/** A call that waits for approval does not change any more in 0.5.2. */
export function readyUp(action: WireAction, { channel, directory }: About): WireObject | readonly [] {
  return findCall(directory.chat(channel), action)?.status === 'pending-confirmation' ? [] : action;
}

/**
 * Whether the call was described before cannot be seen. If it shows something else by now, it may have been; and one that
 * needs no approval may have waited for it before, so it is approved first, which does nothing where it did not wait.
 */
function replayedReady(action: WireAction, around: Around): WireObject | readonly AddressedAction[] {
  const call = findCall(around.directory.chat(around.channel), action) ?? {};
  const names = ['invocationMessage', 'toolInput', ...(isPending(call) ? QUESTION : [])];
  if (!names.every((name) => isSameJson(call[name], action[name]))) around.needsStates();
  return action.confirmed ? approvedFirst(action, action, around) : action;
}

function isPending({ status }: WireObject): boolean {
  return status === 'pending-confirmation';
}

function approvedFirst({ turnId, toolCallId }: WireAction, ready: WireAction, { channel }: Around) {
  const approval = { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: true, confirmed: 'not-needed' };
  return [
    { channel, action: approval },
    { channel, action: ready },
  ];
}

/** What a call shows only while it waits for approval. */
const QUESTION = ['confirmationTitle', 'riskAssessment', 'edits', 'editable', 'options'];

function questionOf(call: WireObject): WireObject {
  if (!isPending(call)) return {};
  const known = QUESTION.filter((name) => call[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, call[name]]));
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
