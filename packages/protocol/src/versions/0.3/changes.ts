import { changedSelection } from '../0.4/selection.js';
import type { ChainedAction } from '../chain.js';
import { chain04 } from '../chains.js';
import type { AddressedAction, Change, Directory } from '../dialect.js';
import { sessionTypeOf } from '../shared/conversation.js';
import { legacyChat } from '../shared/legacy-chat.js';
import { isUnknownTo } from '../shared/since.js';
import { mapMember, mapObject, mapObjects, type WireAction, type WireObject, without } from '../shared/wire.js';
import type { Around } from '../step.js';
import { contentChanged, operationStatusChanged, operationsChanged, statusChanged } from './changeset.js';
import { customization, mcpState, withCustomizations } from './customization.js';
import { errorInfo, message, responsePart } from './message.js';
import { agentInfo } from './root.js';

/** What a change is in 0.3: chats are folded into sessions, annotations do not exist. */
export function changeIn03(change: Change, directory: Directory): readonly ChainedAction[] {
  return translate(change, directory).filter(({ action }) => !isUnknownTo('0.3.0', action.type));
}

function translate(change: Change, directory: Directory): readonly ChainedAction[] {
  switch (change.kind) {
    case 'chat':
      return conversationActions(change, directory);
    case 'session':
      return translateEach(change, directory, sessionActions);
    case 'changeset':
      return translateEach(change, directory, changesetActions);
    case 'root':
      return translateEach(change, directory, (action) => [rootAction(action)]);
    case 'annotations':
    case 'automation':
    case 'automationRun':
      return [];
    default:
      return chain04.chained(change, directory);
  }
}

/** Text, which comes by the thousand and is the same in every version but for its type; undefined for anything else. */
export function textIn03(change: Change): AddressedAction | undefined {
  const { action } = change;
  if (action.type !== 'chat/delta' && action.type !== 'chat/reasoning') return undefined;
  const { turnId, partId, content } = action;
  const type = action.type === 'chat/delta' ? 'session/delta' : 'session/reasoning';
  return { channel: conversationOf(change), action: { type, turnId, partId, content } };
}

/** A change whose translation depends on the states before and after it cannot be replayed; it takes a snapshot. */
export function isReplayableIn03(change: Change, directory: Directory): boolean {
  const { action, session } = change;
  switch (action.type) {
    case 'changeset/contentChanged':
    case 'changeset/operationStatusChanged':
    case 'session/chatRemoved':
    case 'session/chatsReordered':
      return false;
    case 'session/chatAdded': // the session's own chat began here
      return !session || legacyChat(session.state) !== action.summary.resource;
    default:
      return chain04.isReplayable(change, directory);
  }
}

function translateEach(
  change: Change,
  directory: Directory,
  translateAction: (action: WireAction, around: Around) => readonly WireAction[],
): readonly ChainedAction[] {
  return chain04
    .chained(change, directory)
    .flatMap(({ channel, action, around }) =>
      translateAction(action, around).map((each) => ({ channel, action: each, around })),
    );
}

/** The session for its own chat; any other chat appears as a session itself. */
function conversationOf({ channel, session }: Change): string {
  return session && legacyChat(session.state) === channel ? session.uri : channel;
}

const SELECTING: ReadonlySet<string> = new Set(['chat/draftChanged', 'chat/turnStarted', 'chat/truncated']);

/** What 0.4 says on the session is about its default chat; here it is about the chat itself. */
function conversationActions(change: Change, directory: Directory): readonly ChainedAction[] {
  const channel = conversationOf(change);
  const chained = chain04.chained(change, directory);
  const own = chained.filter(({ action }) => action.type.startsWith('chat/'));
  const selection = SELECTING.has(change.action.type) ? changedSelection(change, directory) : [];
  const around = chain04.around(change, directory);
  return [
    ...own.map((each) => ({ ...each, channel, action: conversationAction(each.action) })),
    ...selection.map((action) => ({ channel, action, around })),
  ];
}

function conversationAction(later: WireAction): WireAction {
  const type = sessionTypeOf(later.type) ?? later.type;
  return { ...knownMembers(later), type };
}

function knownMembers(later: WireAction): WireObject {
  switch (later.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet':
      return mapObject(without(later, '_meta'), 'message', message);
    case 'chat/responsePart':
      return mapObject(without(later, '_meta'), 'part', responsePart);
    case 'chat/error':
      return mapObject(without(later, '_meta'), 'error', errorInfo);
    case 'chat/toolCallConfirmed':
      return later.approved ? later : mapObject(later, 'userSuggestion', message);
    default:
      return 'toolCallId' in later ? later : without(later, '_meta');
  }
}

function sessionActions(action: WireAction): readonly WireAction[] {
  switch (action.type) {
    case 'session/chatAdded':
    case 'session/chatRemoved':
    case 'session/chatUpdated':
    case 'session/defaultChatChanged':
    case 'session/modelChanged': // of another chat than the one that is shown
    case 'session/agentChanged':
      return [];
    default:
      return [{ ...knownSessionMembers(action), type: action.type }];
  }
}

function knownSessionMembers(action: WireAction): WireObject {
  switch (action.type) {
    case 'session/creationFailed':
      return mapObject(action, 'error', errorInfo);
    case 'session/customizationsChanged':
      return withCustomizations(action);
    case 'session/customizationUpdated':
      return mapObject(action, 'customization', customization);
    case 'session/mcpServerStateChanged':
      return mapObject(action, 'state', mcpState);
    case 'session/activeClientChanged':
      return mapObject(action, 'activeClient', withCustomizations);
    default:
      return action;
  }
}

function changesetActions(action: WireAction, { before, after }: Around): readonly WireAction[] {
  switch (action.type) {
    case 'changeset/contentChanged':
      return before && after ? contentChanged(action, before, after) : [];
    case 'changeset/operationStatusChanged':
      return before && after ? operationStatusChanged(action, before, after) : [];
    case 'changeset/operationsChanged':
      return [operationsChanged(action)];
    case 'changeset/statusChanged':
      return [statusChanged(action)];
    default:
      return [action];
  }
}

function rootAction(action: WireAction): WireAction {
  if (action.type !== 'root/agentsChanged') return action;
  return { ...mapMember(action, 'agents', (agents) => mapObjects(agents, agentInfo)), type: action.type };
}
