import type { ChangesetState } from '../../channels/changeset/state.js';
import type { SessionState } from '../../channels/session/state.js';
import type { StateAction } from '../../channels/state-action.js';
import type { Change, Told } from '../dialect.js';
import { sessionTypeOf } from '../shared/conversation.js';
import { legacyChat } from '../shared/legacy-chat.js';
import { type WireObject, without } from '../shared/wire.js';
import { contentChanged, operationStatusChanged, operationsChanged, shownStatus } from './changeset.js';
import { errorInfo, message, responsePart } from './message.js';
import { agentInfo } from './root.js';
import { shownSelection } from './session.js';

/** What a change is in 0.3: chats are folded into sessions, annotations do not exist. */
export function changeIn03(change: Change): readonly Told[] {
  const { channel, kind, action } = change;
  switch (kind) {
    case 'chat':
      return [{ channel: conversationOf(change), action: conversationAction(action) }];
    case 'session':
      return sessionActions(change).map((told) => ({ channel, action: told }));
    case 'changeset':
      return changesetActions(change).map((told) => ({ channel, action: told }));
    case 'root':
      return [{ channel, action: rootAction(action) }];
    case 'annotations':
      return [];
    default:
      return [{ channel, action }];
  }
}

/** A change whose telling depends on the states before and after it cannot be replayed; it takes a snapshot. */
export function isReplayableIn03({ action, session }: Change): boolean {
  switch (action.type) {
    case 'changeset/contentChanged':
    case 'changeset/operationStatusChanged':
    case 'session/chatRemoved':
      return false;
    case 'session/chatAdded': // the session's own chat began here
      return !session || legacyChat(session) !== action.summary.resource;
    case 'session/chatUpdated':
      return !('model' in action.changes) && !('agent' in action.changes);
    default:
      return true;
  }
}

/** The session for its own chat; any other chat appears as a session itself. */
function conversationOf({ channel, session }: Change): string {
  return session && legacyChat(session) === channel ? session.summary.resource : channel;
}

function conversationAction(native: StateAction): WireObject {
  const type = sessionTypeOf(native.type) ?? native.type;
  switch (native.type) {
    case 'chat/delta': // by far the most frequent, hence the fixed members
    case 'chat/reasoning':
      return { type, turnId: native.turnId, partId: native.partId, content: native.content };
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet':
      return { ...without(native, '_meta'), type, message: message(native.message) };
    case 'chat/responsePart':
      return { ...without(native, '_meta'), type, part: responsePart(native.part) };
    case 'chat/error':
      return { ...without(native, '_meta'), type, error: errorInfo(native.error) };
    case 'chat/toolCallConfirmed': {
      if (native.approved || !native.userSuggestion) return { ...native, type };
      return { ...native, type, userSuggestion: message(native.userSuggestion) };
    }
    default:
      return { ...('toolCallId' in native ? native : without(native, '_meta')), type };
  }
}

function sessionActions({ action, session, before }: Change): readonly WireObject[] {
  switch (action.type) {
    case 'session/chatAdded':
    case 'session/chatRemoved':
    case 'session/defaultChatChanged':
      return [];
    case 'session/modelChanged':
      // The session's own chat may have a model of its own, which it keeps.
      return session && !same(shownSelection(session).model, action.model) ? [] : [action];
    case 'session/agentChanged':
      return session && !same(shownSelection(session).agent, action.agent) ? [] : [action];
    case 'session/chatUpdated':
      return session && before ? selectionActions(before as SessionState, session) : [];
    case 'session/creationFailed':
      return [{ ...action, error: errorInfo(action.error) }];
    default:
      return [action];
  }
}

function selectionActions(before: SessionState, after: SessionState): readonly WireObject[] {
  const was = shownSelection(before);
  const is = shownSelection(after);
  return [
    ...(is.model && !same(was.model, is.model) ? [{ type: 'session/modelChanged', model: is.model }] : []),
    ...(same(was.agent, is.agent) ? [] : [{ type: 'session/agentChanged', ...(is.agent && { agent: is.agent }) }]),
  ];
}

function changesetActions({ action, before, after }: Change): readonly WireObject[] {
  const [was, is] = [before as ChangesetState | undefined, after as ChangesetState | undefined];
  switch (action.type) {
    case 'changeset/contentChanged':
      return was && is ? contentChanged(action, was, is) : [];
    case 'changeset/operationStatusChanged':
      return was && is ? operationStatusChanged(action, was, is) : [];
    case 'changeset/operationsChanged':
      return [operationsChanged(action)];
    case 'changeset/statusChanged': {
      const { status, error } = action;
      return [{ type: action.type, ...shownStatus(status === 'error' ? { status, error } : { status }) }];
    }
    default:
      return [action];
  }
}

function rootAction(action: StateAction): WireObject {
  return action.type === 'root/agentsChanged' ? { ...action, agents: action.agents.map(agentInfo) } : action;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
