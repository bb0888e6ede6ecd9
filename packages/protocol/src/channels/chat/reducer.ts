import { SessionStatus } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import { appendText } from './append-text.js';
import { reduceInputRequests } from './input-reducer.js';
import { reducePendingMessages } from './pending-reducer.js';
import type { ChatState } from './state.js';
import { withRefreshedStatus } from './status.js';
import { reduceChatSummary } from './summary-reducer.js';
import { reduceToolCall } from './tool-call-reducer.js';
import { endTurn, loadTurns, resumeTurn, startTurn, truncate } from './turn-reducer.js';

export function reduceChat(state: ChatState, action: ActionOf<'chat'>): ChatState {
  switch (action.type) {
    case 'chat/delta':
      return appendText(state, action, 'markdown');
    case 'chat/reasoning':
      return appendText(state, action, 'reasoning');
    case 'chat/turnStarted':
      return startTurn(state, action);
    case 'chat/turnComplete':
      return endTurn(state, action.turnId, {
        state: 'complete',
        activity: SessionStatus.Idle,
        duration: action.duration,
      });
    case 'chat/turnCancelled':
      return endTurn(state, action.turnId, {
        state: 'cancelled',
        activity: SessionStatus.Idle,
        duration: action.duration,
      });
    case 'chat/error': {
      const { turnId, duration, part } = action;
      return endTurn(state, turnId, { state: 'error', activity: SessionStatus.Error, duration, part });
    }
    case 'chat/turnResume':
      return resumeTurn(state, action.turnId);
    case 'chat/turnsLoaded':
      return loadTurns(state, action);
    case 'chat/truncated':
      return truncate(state, action.turnId);
    case 'chat/responsePart': {
      const turn = state.activeTurn;
      // Errors come with the end of the turn only.
      if (turn?.id !== action.turnId || action.part.kind === 'error') return state;
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
    // These refresh the status even when they find no call to change.
    case 'chat/toolCallReady':
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallComplete':
    case 'chat/toolCallResultConfirmed':
    case 'chat/toolCallAuthRequired':
    case 'chat/toolCallAuthResolved':
      return withRefreshedStatus(reduceToolCall(state, action));
    case 'chat/inputRequested':
    case 'chat/inputAnswerChanged':
    case 'chat/inputCompleted':
      return reduceInputRequests(state, action);
    case 'chat/pendingMessageSet':
    case 'chat/pendingMessageRemoved':
    case 'chat/queuedMessagesReordered':
      return reducePendingMessages(state, action);
    case 'chat/activityChanged':
    case 'chat/isReadChanged':
    case 'chat/isArchivedChanged':
    case 'chat/movableChanged':
    case 'chat/workingDirectorySet':
    case 'chat/workingDirectoryRemoved':
    case 'chat/draftChanged':
    case 'chat/changesetsChanged':
    case 'chat/backgroundWorkSet':
    case 'chat/backgroundWorkRemoved':
      return reduceChatSummary(state, action);
    default:
      return state;
  }
}
