import { isObject } from '../../common/is-object.js';
import { findCall } from '../shared/find-call.js';
import { mapMember, type WireAction, type WireObject, without } from '../shared/wire.js';
import type { Around } from '../step.js';

/** 0.6 has the input of a tool as text only: for one that is kept elsewhere it says where. */
export function withTextInput(later: WireObject): WireObject {
  return mapMember(later, 'toolInput', textOfInput);
}

function textOfInput(input: unknown): unknown {
  return isObject(input) ? `(${String(input.uri)})` : input;
}

/** 0.6 cannot learn later who contributed a tool, or what for. */
export function readyDown(action: WireAction): WireObject {
  return without(action, 'contributor', 'intention');
}

export function deltaDown(action: WireAction): WireObject {
  return action.content === undefined ? { ...action, content: '' } : action;
}

/** Edited input replaces text only, never what is kept elsewhere; 0.6 would replace either. */
export function confirmedDown(action: WireAction, around: Around): WireObject {
  if (action.editedToolInput === undefined) return action;
  const call = findCall(around.before ?? around.directory.chat(around.channel), action);
  return isObject(call?.toolInput) ? without(action, 'editedToolInput') : action;
}

/** A terminal's result is an entry of its own, and whether it is a real terminal is not said. */
export function toolContentDown(later: readonly WireObject[]): readonly WireObject[] {
  return later.flatMap((entry) => {
    if (entry.type !== 'terminal') return [entry];
    const { resource, result } = entry;
    const terminal = without(entry, 'isPty', 'result');
    return isObject(result) ? [terminal, { ...result, type: 'terminalComplete', resource }] : [terminal];
  });
}

/** The same back: what a terminal came to follows it, and becomes part of its entry. */
export function toolContentUp(earlier: readonly WireObject[]): readonly WireObject[] {
  return earlier.flatMap((entry, index) => {
    if (entry.type === 'terminalComplete') return [];
    const next = earlier[index + 1];
    const isResult = entry.type === 'terminal' && next?.type === 'terminalComplete' && next.resource === entry.resource;
    return [isResult ? { ...entry, result: without(next, 'type', 'resource', 'cwd') } : entry];
  });
}
