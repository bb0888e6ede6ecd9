import { upsert } from '../../common/list.js';
import { SessionStatus, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import { withDirectory, withoutDirectory } from '../working-directories.js';
import type { ChatState } from './state.js';

type SummaryAction = Extract<
  ActionOf<'chat'>,
  {
    type:
      | 'chat/activityChanged'
      | 'chat/isReadChanged'
      | 'chat/isArchivedChanged'
      | 'chat/movableChanged'
      | 'chat/workingDirectorySet'
      | 'chat/workingDirectoryRemoved'
      | 'chat/draftChanged'
      | 'chat/changesetsChanged'
      | 'chat/backgroundWorkSet'
      | 'chat/backgroundWorkRemoved';
  }
>;

/** What surrounds the turns of a chat. */
export function reduceChatSummary(state: ChatState, action: SummaryAction): ChatState {
  switch (action.type) {
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
  }
}
