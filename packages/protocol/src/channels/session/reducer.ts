import { removeAt, upsert } from '../../common/list.js';
import { mergeConfig } from '../../common/merge-config.js';
import { SessionStatus, withActivity, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ChatSummary } from '../chat/state.js';
import { withDirectory, withoutDirectory, withReplacedDirectory } from '../working-directories.js';
import { reduceCustomizations } from './customizations-reducer.js';
import type { SessionInputRequest } from './input-needed.js';
import type { SessionState } from './state.js';

type SessionAction = ActionOf<'session'>;

export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case 'session/ready':
      return { ...state, lifecycle: 'ready' };
    case 'session/creationFailed':
      return { ...state, lifecycle: 'failed', creationError: action.error };
    case 'session/chatAdded':
      return {
        ...state,
        chats: upsert(state.chats, action.summary, (chat) => chat.resource === action.summary.resource),
      };
    case 'session/chatRemoved':
      return removeChat(state, action.chat);
    case 'session/chatUpdated':
      return updateChat(state, action);
    case 'session/chatsReordered':
      return reorderChats(state, action.chats);
    case 'session/defaultChatChanged':
      return { ...state, defaultChat: action.defaultChat };
    case 'session/titleChanged':
      return { ...state, title: action.title };
    case 'session/isReadChanged':
      return { ...state, status: withFlag(state.status, SessionStatus.IsRead, action.isRead) };
    case 'session/isArchivedChanged':
      return { ...state, status: withFlag(state.status, SessionStatus.IsArchived, action.isArchived) };
    case 'session/activityChanged':
      return { ...state, activity: action.activity };
    case 'session/changesetsChanged':
      return { ...state, changesets: action.changesets ?? undefined };
    case 'session/configChanged':
      return state.config ? { ...state, config: mergeConfig(state.config, action) } : state;
    case 'session/metaChanged':
      return { ...state, _meta: action._meta ?? undefined };
    case 'session/serverToolsChanged':
      return { ...state, serverTools: action.tools };
    case 'session/activeClientSet': {
      const { activeClient } = action;
      const activeClients = upsert(
        state.activeClients,
        activeClient,
        (each) => each.clientId === activeClient.clientId,
      );
      return { ...state, activeClients };
    }
    case 'session/activeClientRemoved': {
      const index = state.activeClients.findIndex(({ clientId }) => clientId === action.clientId);
      return index < 0 ? state : { ...state, activeClients: removeAt(state.activeClients, index) };
    }
    case 'session/workingDirectorySet':
      return withDirectory(state, action.directory);
    case 'session/workingDirectoryRemoved':
      return withoutDirectory(state, action.directory);
    case 'session/workingDirectoryReplaced':
      return withReplacedDirectory(state, action.directory, action.replacement);
    case 'session/inputNeededSet': {
      const { request } = action;
      return withInputNeeded(
        state,
        upsert(state.inputNeeded ?? [], request, ({ id }) => id === request.id),
      );
    }
    case 'session/inputNeededRemoved': {
      const left = state.inputNeeded?.filter(({ id }) => id !== action.id);
      return left === undefined || left.length === state.inputNeeded?.length ? state : withInputNeeded(state, left);
    }
    case 'session/customizationsChanged':
    case 'session/customizationToggled':
    case 'session/customizationUpdated':
    case 'session/customizationRemoved':
    case 'session/mcpServerStateChanged':
    case 'session/mcpServerStartRequested':
    case 'session/mcpServerStopRequested':
    case 'session/mcpServerBackgroundRequested': {
      const customizations = reduceCustomizations(state.customizations, action);
      return customizations === state.customizations ? state : { ...state, customizations };
    }
    default:
      return state;
  }
}

/** A tool that a client runs asks nothing of the user, so it does not count. */
function withInputNeeded(state: SessionState, requests: SessionInputRequest[]): SessionState {
  const inputNeeded = requests.length > 0 ? requests : undefined;
  if (requests.some(({ kind }) => kind !== 'toolClientExecution')) {
    return { ...state, inputNeeded, status: withActivity(state.status, SessionStatus.InputNeeded) };
  }
  return { ...state, inputNeeded, status: withFlag(state.status, INPUT_NEEDED_BIT, false) };
}

/** What `InputNeeded` has and `InProgress` has not. */
const INPUT_NEEDED_BIT = SessionStatus.InputNeeded & ~SessionStatus.InProgress;

/** The order must name every chat exactly once. */
function reorderChats(state: SessionState, order: readonly string[]): SessionState {
  const byUri = new Map(state.chats.map((chat) => [chat.resource, chat]));
  const chats = [...new Set(order)].flatMap((uri) => byUri.get(uri) ?? []);
  const isWhole = chats.length === state.chats.length && order.length === state.chats.length;
  return isWhole ? { ...state, chats } : state;
}

function removeChat(state: SessionState, chat: string): SessionState {
  const index = state.chats.findIndex((entry) => entry.resource === chat);
  if (index < 0) return state;
  const remaining = { ...state, chats: removeAt(state.chats, index) };
  if (state.defaultChat === chat) delete remaining.defaultChat;
  return remaining;
}

function updateChat(state: SessionState, action: ActionOf<'session'> & { type: 'session/chatUpdated' }): SessionState {
  const index = state.chats.findIndex((entry) => entry.resource === action.chat);
  const entry = state.chats[index];
  if (!entry) return state;
  const { resource: _, ...changes } = action.changes;
  return { ...state, chats: state.chats.with(index, { ...entry, ...given(changes) }) };
}

/** The members that a change list really gives: `undefined` is absent on the wire, and `null` clears (OQ-25). */
function given(changes: { [K in keyof ChatSummary]?: unknown }): Partial<ChatSummary> {
  const members = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, value ?? undefined]));
}
