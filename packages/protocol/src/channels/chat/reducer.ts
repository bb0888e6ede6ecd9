import { SessionStatus } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ReducerEnv } from '../reducer.js';
import { appendText } from './append-text.js';
import { reduceInputRequests } from './input-reducer.js';
import { reducePendingMessages } from './pending-reducer.js';
import type { ChatState } from './state.js';
import { withRefreshedStatus } from './status.js';
import { reduceToolCall } from './tool-call-reducer.js';
import { endTurn, startTurn, truncate } from './turn-reducer.js';

export function reduceChat(state: ChatState, action: ActionOf<'chat'>, env: ReducerEnv): ChatState {
  switch (action.type) {
    case 'chat/delta':
      return appendText(state, action, 'markdown');
    case 'chat/reasoning':
      return appendText(state, action, 'reasoning');
    case 'chat/turnStarted':
      return startTurn(state, action, env);
    case 'chat/turnComplete':
      return endTurn(state, action.turnId, { state: 'complete', activity: SessionStatus.Idle }, env);
    case 'chat/turnCancelled':
      return endTurn(state, action.turnId, { state: 'cancelled', activity: SessionStatus.Idle }, env);
    case 'chat/error':
      return endTurn(state, action.turnId, { state: 'error', activity: SessionStatus.Error, error: action.error }, env);
    case 'chat/truncated':
      return truncate(state, action.turnId, env);
    case 'chat/responsePart': {
      const turn = state.activeTurn;
      if (turn?.id !== action.turnId) return state;
      return { ...state, activeTurn: { ...turn, responseParts: [...turn.responseParts, action.part] } };
    }
    case 'chat/usage': {
      const turn = state.activeTurn;
      return turn?.id === action.turnId ? { ...state, activeTurn: { ...turn, usage: action.usage } } : state;
    }
    case 'chat/toolCallStart':
    case 'chat/toolCallDelta':
    case 'chat/toolCallContentChanged':
      return reduceToolCall(state, action);
    // These four refresh the status even when they find no call to change.
    case 'chat/toolCallReady':
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallComplete':
    case 'chat/toolCallResultConfirmed':
      return withRefreshedStatus(reduceToolCall(state, action));
    case 'chat/inputRequested':
    case 'chat/inputAnswerChanged':
    case 'chat/inputCompleted':
      return reduceInputRequests(state, action, env);
    case 'chat/pendingMessageSet':
    case 'chat/pendingMessageRemoved':
    case 'chat/queuedMessagesReordered':
      return reducePendingMessages(state, action);
    default:
      return state;
  }
}
