import { hasOnlyKeys } from '../../common/known-keys.js';
import type { ActionOf } from '../action-table.js';
import { endOfRun, type Run } from '../reducer.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type { ActiveTurn } from './turn.js';

type TextKind = 'markdown' | 'reasoning';
type TextPart = Extract<ResponsePart, { kind: TextKind }>;

/**
 * The place of the last append. A stream appends to the same part of the same chat again and again, each time to the
 * state the last append gave; then nothing has to be searched or inspected. A state it does not know is searched.
 */
const latest: { state: ChatState | undefined; partId: string; index: number; plain: boolean } = {
  state: undefined,
  partId: '',
  index: -1,
  plain: false,
};

/** Appends to the part with the action's id, if the turn is active and the part is of that kind. */
export function appendText(state: ChatState, action: TextAction, kind: TextKind): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== action.turnId) return state;
  const known = state === latest.state && latest.partId === action.partId;
  const index = known ? latest.index : turn.responseParts.findIndex((part) => partId(part) === action.partId);
  const part = turn.responseParts[index];
  if (part?.kind !== kind) return state;
  const plain = known ? latest.plain : hasOnlyKeys(part, PART_KEYS) && isPlain(state, turn);
  const responseParts = turn.responseParts.slice();
  responseParts[index] = withText(part, part.content + action.content, plain);
  const appended = withParts(state, turn, responseParts, plain);
  latest.state = appended;
  latest.partId = action.partId;
  latest.index = index;
  latest.plain = plain;
  return appended;
}

/**
 * A run of appends to any parts of the active turn: the text for each part is gathered first, so that the chat is
 * copied once. Appends that name no fitting part are dropped, as they are one by one.
 */
export function appendRun(
  state: ChatState,
  actions: readonly ActionOf<'chat'>[],
  start: number,
): Run<ChatState> | undefined {
  const turn = state.activeTurn;
  if (!turn) return undefined;
  const end = endOfRun(actions, start, (action) => isAppend(action) && action.turnId === turn.id);
  if (end === undefined) return undefined;
  const texts = gather(turn.responseParts, actions.slice(start, end).filter(isAppend));
  if (texts.size === 0) return { state, end };
  const responseParts = turn.responseParts.slice();
  for (const [index, text] of texts) {
    const part = responseParts[index] as TextPart;
    responseParts[index] = withText(part, part.content + text, hasOnlyKeys(part, PART_KEYS));
  }
  return { state: withParts(state, turn, responseParts, isPlain(state, turn)), end };
}

function gather(parts: readonly ResponsePart[], appends: readonly TextAction[]): Map<number, string> {
  const positions = positionsOf(parts);
  const texts = new Map<number, string>();
  for (const { type, partId: id, content } of appends) {
    const index = positions.get(id);
    if (index === undefined || parts[index]?.kind !== kindOf(type)) continue;
    texts.set(index, (texts.get(index) ?? '') + content);
  }
  return texts;
}

type TextAction = Extract<ActionOf<'chat'>, { type: 'chat/delta' | 'chat/reasoning' }>;

function isAppend(action: ActionOf<'chat'>): action is TextAction {
  return (action.type === 'chat/delta' || action.type === 'chat/reasoning') && typeof action.content === 'string';
}

function kindOf(type: TextAction['type']): TextKind {
  return type === 'chat/delta' ? 'markdown' : 'reasoning';
}

function positionsOf(parts: readonly ResponsePart[]): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [index, part] of parts.entries()) {
    const id = partId(part);
    if (id !== undefined && !positions.has(id)) positions.set(id, index);
  }
  return positions;
}

/** A part's id; tool calls are identified by the call, and some parts have none. */
function partId(part: ResponsePart): string | undefined {
  if (part.kind === 'toolCall') return part.toolCall.toolCallId;
  return 'id' in part ? part.id : undefined;
}

function withText(part: TextPart, content: string, plain: boolean): TextPart {
  return plain ? ({ kind: part.kind, id: part.id, content } as TextPart) : { ...part, content };
}

function isPlain(state: ChatState, turn: ActiveTurn): boolean {
  return hasOnlyKeys(turn, TURN_KEYS) && hasOnlyKeys(state, STATE_KEYS);
}

/** A literal with fixed keys is copied 25 times faster than by spreading, see `hasOnlyKeys`. */
function withParts(state: ChatState, turn: ActiveTurn, parts: ResponsePart[], plain: boolean): ChatState {
  if (!plain) return { ...state, activeTurn: { ...turn, responseParts: parts } };
  const activeTurn = { id: turn.id, message: turn.message, responseParts: parts, usage: turn.usage };
  return {
    resource: state.resource,
    title: state.title,
    status: state.status,
    activity: state.activity,
    modifiedAt: state.modifiedAt,
    model: state.model,
    agent: state.agent,
    origin: state.origin,
    interactivity: state.interactivity,
    workingDirectory: state.workingDirectory,
    turns: state.turns,
    activeTurn,
    steeringMessage: state.steeringMessage,
    queuedMessages: state.queuedMessages,
    inputRequests: state.inputRequests,
    _meta: state._meta,
  };
}

const PART_KEYS = new Set(['kind', 'id', 'content']);
const TURN_KEYS = new Set(['id', 'message', 'responseParts', 'usage']);
const STATE_KEYS = new Set([
  'resource',
  'title',
  'status',
  'activity',
  'modifiedAt',
  'model',
  'agent',
  'origin',
  'interactivity',
  'workingDirectory',
  'turns',
  'activeTurn',
  'steeringMessage',
  'queuedMessages',
  'inputRequests',
  '_meta',
]);
