import type { ErrorInfo } from '../../common/error-info.js';
import { SessionStatus, withActivity, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ReducerEnv } from '../reducer.js';
import type { ResponsePart } from './response-part.js';
import type { ChatState } from './state.js';
import { isoTime, withRefreshedStatus } from './status.js';
import type { ToolCallCancelledState, ToolCallState } from './tool-call.js';
import { callBase } from './tool-call-reducer.js';
import type { Turn } from './turn.js';

type TurnStarted = Extract<ActionOf<'chat'>, { type: 'chat/turnStarted' }>;

/** Opens a turn, whatever was active before: refusing a second one is up to the host. */
export function startTurn(state: ChatState, action: TurnStarted, env: ReducerEnv): ChatState {
  const started = withRefreshedStatus({
    ...withoutPending(state, action.queuedMessageId),
    activeTurn: { id: action.turnId, message: action.message, responseParts: [], usage: undefined },
    modifiedAt: isoTime(env.now()),
  });
  return { ...started, status: withFlag(started.status, SessionStatus.IsRead, false) };
}

export interface TurnEnding {
  readonly state: Turn['state'];
  readonly activity: number;
  readonly error?: ErrorInfo;
}

/** Moves the active turn into history; calls that are still open are settled and input requests are dropped. */
export function endTurn(state: ChatState, turnId: string, ending: TurnEnding, env: ReducerEnv): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== turnId) return state;
  const finished: Turn = {
    id: turn.id,
    message: turn.message,
    responseParts: turn.responseParts.map(settled),
    usage: turn.usage,
    state: ending.state,
    error: ending.error,
  };
  return {
    ...state,
    turns: [...state.turns, finished],
    activeTurn: undefined,
    inputRequests: undefined,
    modifiedAt: isoTime(env.now()),
    status: withActivity(state.status, ending.activity),
  };
}

/** Keeps the turns up to and including one, or none; an active turn goes without being archived. */
export function truncate(state: ChatState, turnId: string | undefined, env: ReducerEnv): ChatState {
  const last = turnId === undefined ? -1 : state.turns.findIndex((turn) => turn.id === turnId);
  if (turnId !== undefined && last < 0) return state;
  return {
    ...state,
    turns: state.turns.slice(0, last + 1),
    activeTurn: undefined,
    inputRequests: undefined,
    modifiedAt: isoTime(env.now()),
    status: withActivity(state.status, SessionStatus.Idle),
  };
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
