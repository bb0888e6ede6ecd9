import { upsert } from '../../common/list.js';
import { SessionStatus, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import { withDirectory, withoutDirectory } from '../working-directories.js';
import { appendText } from './append-text.js';
import { reduceInputRequests } from './input-reducer.js';
import { reducePendingMessages } from './pending-reducer.js';
import type { ChatState } from './state.js';
import { reduceToolCall } from './tool-call-reducer.js';
import { withRefreshedStatus } from './turn-queries.js';
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
      return { ...state, activity: action.activity };
    case 'chat/isReadChanged':
      return { ...state, status: withFlag(state.status, SessionStatus.IsRead, action.isRead) };
    case 'chat/isArchivedChanged':
      return { ...state, status: withFlag(state.status, SessionStatus.IsArchived, action.isArchived) };
    case 'chat/movableChanged':
      return { ...state, movable: action.movable };
    case 'chat/workingDirectorySet':
      return withDirectory(state, action.directory);
    case 'chat/workingDirectoryRemoved':
      return withoutDirectory(state, action.directory);
    case 'chat/draftChanged':
      return { ...state, draft: action.draft };
    case 'chat/changesetsChanged':
      return { ...state, changesets: action.changesets };
    case 'chat/backgroundWorkSet': {
      const { work } = action;
      return { ...state, backgroundWork: upsert(state.backgroundWork ?? [], work, ({ id }) => id === work.id) };
    }
    case 'chat/backgroundWorkRemoved': {
      const left = state.backgroundWork?.filter(({ id }) => id !== action.id);
      if (left === undefined || left.length === state.backgroundWork?.length) return state;
      return { ...state, backgroundWork: left.length > 0 ? left : undefined };
    }
    default:
      return state;
  }
}
