import type { AddressedAction } from '../dialect.js';
import { asList, asObject, type WireAction, type WireObject, without } from '../shared/wire.js';
import type { Around } from '../step.js';

/** The error that ended a turn is beside its parts. */
export function withError(later: WireObject): WireObject {
  const parts = asList(later.responseParts);
  const last = later.state === 'error' ? parts.at(-1) : undefined;
  return last?.kind === 'error' ? { ...later, responseParts: parts.slice(0, -1), error: last.error } : later;
}

export function withErrorPart(earlier: WireObject): WireObject {
  if (earlier.error === undefined || earlier.error === null) return without(earlier, 'error');
  const { error, ...others } = earlier;
  return { ...others, responseParts: [...asList(earlier.responseParts), { kind: 'error', error }] };
}

/** An error that the turn went on after is a notice in it. */
export function knownPart(later: WireObject): WireObject {
  if (later.kind !== 'error') return later;
  return { kind: 'systemNotification', content: String(asObject(later.error).message ?? '') };
}

export function errorDown(action: WireObject): WireObject {
  const { part, ...others } = action;
  return { ...others, error: asObject(part).error };
}

export function errorUp(action: WireObject): WireObject {
  if (action.part !== undefined) return action;
  const { error, ...others } = action;
  return { ...others, part: { kind: 'error', error } };
}

/** Errors come with the end of a turn only; natively such a part is ignored. */
export function responsePartDown(action: WireAction): WireObject | [] {
  return asObject(action.part).kind === 'error' ? [] : action;
}

/** 0.7 cannot take a turn up again: it is taken away, begins anew, and gets all its parts. */
export function resumeDown(_action: WireAction, around: Around): readonly AddressedAction[] {
  const { channel, after, native } = around;
  around.needsStates();
  const turn = asObject(after?.activeTurn);
  if (!after || native.before === native.after) return [];
  const previous = asList(after.turns).at(-1);
  const { id: turnId, startedAt, message, usage } = turn;
  const actions: WireAction[] = [
    { type: 'chat/truncated', ...(previous && { turnId: previous.id }) },
    { type: 'chat/turnStarted', turnId, startedAt, message },
    ...asList(turn.responseParts).map((part) => partAgain(part, turnId)),
    ...(usage ? [{ type: 'chat/usage', turnId, usage }] : []),
  ];
  return actions.map((action) => ({ channel, action }));
}

/** A question that is still open is asked again. */
function partAgain(part: WireObject, turnId: unknown): WireAction {
  if (part.kind === 'inputRequest' && part.response === undefined) {
    return { type: 'chat/inputRequested', request: part.request };
  }
  return { type: 'chat/responsePart', turnId, part };
}
