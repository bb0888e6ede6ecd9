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
export function toolContentDown(later: WireObject): readonly WireObject[] {
  if (later.type !== 'terminal') return [later];
  const { result } = later;
  const terminal = without(later, 'isPty', 'result');
  if (!isObject(result)) return [terminal];
  const { exitCode, preview, truncated } = result;
  return [
    terminal,
    {
      type: 'terminalComplete',
      resource: later.resource,
      ...(exitCode !== undefined && { exitCode }),
      ...(preview !== undefined && { preview }),
      ...(truncated !== undefined && { truncated }),
    },
  ];
}

/** The same back: what a terminal came to is part of its entry. */
export function toolContentUp(earlier: WireObject): readonly WireObject[] {
  if (earlier.type !== 'terminalComplete') return [earlier];
  const { type: _type, resource, cwd: _cwd, ...result } = earlier;
  return resource === undefined ? [] : [{ type: 'terminal', resource, title: '', result }];
}
