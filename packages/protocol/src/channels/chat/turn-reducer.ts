import { SessionStatus, withActivity, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ErrorResponsePart, ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import type { ToolCallCancelledState, ToolCallState } from './tool-call.js';
import { callBase } from './tool-call-reducer.js';
import type { ActiveTurn, Turn } from './turn.js';
import { isResumable, withRefreshedStatus } from './turn-queries.js';

type Of<T extends ActionOf<'chat'>['type']> = Extract<ActionOf<'chat'>, { type: T }>;

/** Opens a turn, whatever was active before: refusing a second one is up to the host. */
export function startTurn(state: ChatState, action: Of<'chat/turnStarted'>): ChatState {
  const { turnId, startedAt, message } = action;
  const started = withRefreshedStatus({
    ...withoutPending(state, action.queuedMessageId),
    activeTurn: { id: turnId, startedAt, message, responseParts: [], usage: undefined },
    modifiedAt: startedAt,
  });
  return { ...started, status: withFlag(started.status, SessionStatus.IsRead, false) };
}

export interface TurnEnding {
  readonly state: Turn['state'];
  readonly activity: number;
  /** In milliseconds. */
  readonly duration: number;
  /** Why the turn ended early. */
  readonly part?: ErrorResponsePart;
}

/** Moves the active turn into history; calls that are still open are settled, open questions stay as they are. */
export function endTurn(state: ChatState, turnId: string, ending: TurnEnding): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== turnId) return state;
  const duration = Math.max(0, ending.duration);
  const parts = turn.responseParts.map(settled);
  const finished: Turn = {
    id: turn.id,
    startedAt: turn.startedAt,
    duration,
    message: turn.message,
    responseParts: ending.part ? [...parts, ending.part] : parts,
    usage: turn.usage,
    state: ending.state,
  };
  return {
    ...state,
    turns: [...state.turns, finished],
    activeTurn: undefined,
    modifiedAt: endOf(turn, duration) ?? state.modifiedAt,
    status: withActivity(state.status, ending.activity),
  };
}

/** Takes the last turn up again where a resumable error ended it; everything in it stays. */
export function resumeTurn(state: ChatState, turnId: string): ChatState {
  const last = state.turns.at(-1);
  if (state.activeTurn || last?.id !== turnId || !isResumable(last)) return state;
  const { id, startedAt, message, responseParts, usage } = last;
  const resumed = withRefreshedStatus({
    ...state,
    turns: state.turns.slice(0, -1),
    activeTurn: { id, startedAt: startedAt ?? state.modifiedAt, message, responseParts, usage },
  });
  return { ...resumed, status: withFlag(resumed.status, SessionStatus.IsRead, false) };
}

/** Puts older turns before those that are there; turns that are there already are skipped. */
export function loadTurns(state: ChatState, action: Of<'chat/turnsLoaded'>): ChatState {
  const known = new Set(state.turns.map((turn) => turn.id));
  const older = action.turns.filter((turn) => !known.has(turn.id));
  const { turnsNextCursor } = action;
  if (older.length === 0 && turnsNextCursor === state.turnsNextCursor) return state;
  return { ...state, turns: [...older, ...state.turns], turnsNextCursor };
}

/** Keeps the turns up to and including one, or none; an active turn goes without being archived. */
export function truncate(state: ChatState, turnId: string | undefined): ChatState {
  const last = turnId === undefined ? -1 : state.turns.findIndex((turn) => turn.id === turnId);
  if (turnId !== undefined && last < 0) return state;
  return {
    ...state,
    turns: state.turns.slice(0, last + 1),
    turnsNextCursor: turnId === undefined ? undefined : state.turnsNextCursor,
    activeTurn: undefined,
    status: withActivity(state.status, SessionStatus.Idle),
  };
}

/** Undefined where the start is no time at all, or the end lies beyond what a date can be. */
function endOf({ startedAt }: ActiveTurn, duration: number): string | undefined {
  const end = new Date(Date.parse(startedAt) + duration);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

function withoutPending(state: ChatState, id: string | undefined): ChatState {
  if (!id) return state;
  const queued = state.queuedMessages?.filter((pending) => pending.id !== id);
  return {
    ...state,
    steeringMessage: state.steeringMessage?.id === id ? undefined : state.steeringMessage,
    queuedMessages: queued?.length ? queued : undefined,
  };
}

function settled(part: ResponsePart): ResponsePart {
  if (part.kind !== 'toolCall') return part;
  const { status } = part.toolCall;
  if (status === 'completed' || status === 'cancelled') return part;
  return { kind: 'toolCall', toolCall: skipped(part.toolCall) };
}

function skipped(call: ToolCallState): ToolCallCancelledState {
  return {
    ...callBase(call, undefined),
    status: 'cancelled',
    invocationMessage: call.invocationMessage ?? '',
    toolInput: call.status === 'streaming' ? undefined : call.toolInput,
    reason: 'skipped',
  };
}
