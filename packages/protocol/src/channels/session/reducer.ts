import { removeAt, replaceAt, upsert } from '../../common/list.js';
import { mergeConfig } from '../../common/merge-config.js';
import { SessionStatus, withFlag } from '../../common/status.js';
import type { ActionOf } from '../action-table.js';
import type { ChatSummary } from '../chat/state.js';
import type { ReducerEnv } from '../reducer.js';
import { reduceCustomizations } from './customizations-reducer.js';
import type { SessionState } from './state.js';
import type { SessionSummary } from './summary.js';

type SessionAction = ActionOf<'session'>;

export function reduceSession(state: SessionState, action: SessionAction, env: ReducerEnv): SessionState {
  switch (action.type) {
    case 'session/ready':
      return { ...state, lifecycle: 'ready' };
    case 'session/creationFailed':
      return { ...state, lifecycle: 'creationFailed', creationError: action.error };
    case 'session/chatAdded':
      return {
        ...state,
        chats: upsert(state.chats, action.summary, (chat) => chat.resource === action.summary.resource),
      };
    case 'session/chatRemoved':
      return removeChat(state, action.chat);
    case 'session/chatUpdated':
      return updateChat(state, action);
    case 'session/defaultChatChanged':
      return { ...state, defaultChat: action.defaultChat };
    case 'session/titleChanged':
      return withSummary(state, { title: action.title, modifiedAt: env.now() });
    case 'session/modelChanged':
      return withSummary(state, { model: action.model, modifiedAt: env.now() });
    case 'session/agentChanged':
      return withSummary(state, { agent: action.agent, modifiedAt: env.now() });
    case 'session/isReadChanged':
      return withSummary(state, { status: withFlag(state.summary.status, SessionStatus.IsRead, action.isRead) });
    case 'session/isArchivedChanged':
      return withSummary(state, {
        status: withFlag(state.summary.status, SessionStatus.IsArchived, action.isArchived),
      });
    case 'session/activityChanged':
      return withSummary(state, { activity: action.activity });
    case 'session/changesetsChanged':
      return { ...state, changesets: action.changesets ?? undefined };
    case 'session/configChanged':
      if (!state.config) return state;
      return { ...withSummary(state, { modifiedAt: env.now() }), config: mergeConfig(state.config, action) };
    case 'session/metaChanged':
      return { ...state, _meta: action._meta ?? undefined };
    case 'session/serverToolsChanged':
      return { ...state, serverTools: action.tools };
    case 'session/activeClientChanged':
      return { ...state, activeClient: action.activeClient ?? undefined };
    case 'session/activeClientToolsChanged':
      if (!state.activeClient) return state;
      return { ...state, activeClient: { ...state.activeClient, tools: action.tools } };
    case 'session/customizationsChanged':
    case 'session/customizationToggled':
    case 'session/customizationUpdated':
    case 'session/customizationRemoved':
    case 'session/mcpServerStateChanged': {
      const customizations = reduceCustomizations(state.customizations, action);
      return customizations === state.customizations ? state : { ...state, customizations };
    }
    default:
      return state;
  }
}

function withSummary(state: SessionState, changes: Partial<SessionSummary>): SessionState {
  return { ...state, summary: { ...state.summary, ...changes } };
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
  return { ...state, chats: replaceAt(state.chats, index, { ...entry, ...given(changes) }) };
}

/** The members that a change list really gives: `undefined` is absent on the wire, and `null` clears (OQ-25). */
function given(changes: { [K in keyof ChatSummary]?: unknown }): Partial<ChatSummary> {
  const members = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, value ?? undefined]));
}
