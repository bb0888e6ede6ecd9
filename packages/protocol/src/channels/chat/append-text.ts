import type { ActionOf } from '../action-table.js';
import type { Run } from '../reducer.js';
import { type TextPart, withParts, withText } from './copy.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import { findPart, isPlainPart, streamOf, type TextStream } from './text-stream.js';

type TextAction = Extract<ActionOf<'chat'>, { type: 'chat/delta' | 'chat/reasoning' }>;

/** Appends to the part with the action's id, if the turn is active and the part is of that kind. */
export function appendText(state: ChatState, action: TextAction, kind: TextPart['kind']): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== action.turnId) return state;
  const stream = streamOf(state);
  const index = findPart(stream, turn.responseParts, action.partId);
  const part = turn.responseParts[index];
  if (part?.kind !== kind) return state;
  const responseParts = turn.responseParts.slice();
  responseParts[index] = withText(part, part.content + action.content, isPlainPart(stream, part));
  stream.state = withParts(state, turn, responseParts, stream.plain);
  return stream.state;
}

/** A run of appends to any parts of the active turn: what they touch is copied once, then appended to in place. */
export function appendRun(
  state: ChatState,
  actions: readonly ActionOf<'chat'>[],
  start: number,
): Run<ChatState> | undefined {
  const turn = state.activeTurn;
  const first = actions[start];
  if (!turn || !isAppend(first) || first.turnId !== turn.id) return undefined;
  const stream = streamOf(state);
  const before = turn.responseParts;
  let parts: ResponsePart[] | undefined;
  // The part of the last append; the next one nearly always goes there too.
  let id: string | undefined;
  let type: string | undefined;
  let target: TextPart | undefined;
  let end = start;
  for (let action = actions[end]; isAppend(action) && action.turnId === turn.id; action = actions[++end]) {
    if (action.partId !== id || action.type !== type) {
      id = action.partId;
      type = action.type;
      target = undefined;
      const index = findPart(stream, before, id);
      if (before[index]?.kind === kindOf(type)) {
        parts ??= before.slice();
        target = ownPart(stream, parts, before, index);
      }
    }
    if (target) target.content += action.content;
  }
  if (end === start) return undefined; // the first one names another turn
  if (parts) stream.state = withParts(state, turn, parts, stream.plain);
  return { state: stream.state, end };
}

/** A part that this run may change in place, because it made the copy and nobody else has seen it. */
function ownPart(stream: TextStream, parts: ResponsePart[], before: readonly ResponsePart[], index: number): TextPart {
  const part = parts[index] as TextPart;
  if (part !== before[index]) return part;
  const own = withText(part, part.content, isPlainPart(stream, part));
  parts[index] = own;
  return own;
}

function isAppend(action: ActionOf<'chat'> | undefined): action is TextAction {
  return (action?.type === 'chat/delta' || action?.type === 'chat/reasoning') && typeof action.content === 'string';
}

function kindOf(type: string): TextPart['kind'] {
  return type === 'chat/delta' ? 'markdown' : 'reasoning';
}
