import {
  type ActionOf,
  type ChatState,
  type ChatSummary,
  errorOf,
  openRequests,
  type ResponsePart,
  type SessionInputRequest,
  type SessionState,
  SessionStatus,
  type URI,
  wordsOf,
} from '@moorage/protocol';
import { usageChanges } from './session-usage.js';
import { changesIn, shownChat } from './summary.js';

type ChatAction = ActionOf<'chat'>;
type SessionAction = ActionOf<'session'>;

/** The change of a chat's activity text that follows from an action on it; undefined when the text stays the same. */
export function activityChange(chat: ChatState, action: ChatAction): ChatAction | undefined {
  return STREAMING.has(action.type) ? undefined : currentActivity(chat);
}

/** The change that makes a chat's activity text say what the chat is doing; undefined when it does. */
export function currentActivity(chat: ChatState): ChatAction | undefined {
  const activity = describeActivity(chat);
  return activity === chat.activity ? undefined : { type: 'chat/activityChanged', activity };
}

/**
 * The session actions that follow from a chat action: the session shows the chat as it is (B-143), counts what it used,
 * and the read flag is cleared (OQ-35). They are committed in the same tick, so no crash can separate them.
 */
export function chatConsequences(chat: ChatState, action: ChatAction, session: SessionState): SessionAction[] {
  const isListed = session.chats.some(({ resource }) => resource === chat.resource);
  if (STREAMING.has(action.type) || !isListed) return [];
  const usage = TURN_ENDS.has(action.type) ? usageChanges(chat, session) : [];
  return [...changesToShow(chat, session), ...usage, ...markUnread(action, session)];
}

/** The session actions that make a session show one of its chats as it is: in its catalogue, and in what it waits for. */
export function changesToShow(chat: ChatState, session: SessionState): SessionAction[] {
  const entry = session.chats.find((candidate) => candidate.resource === chat.resource);
  if (!entry) return [];
  const changes = catalogueChanges(chat, entry);
  const updated: SessionAction[] = changes ? [{ type: 'session/chatUpdated', chat: chat.resource, changes }] : [];
  const chats = session.chats.map((candidate) => (candidate === entry ? { ...entry, ...changes } : candidate));
  return [...updated, ...inputNeededChanges(chat, session), ...shownActivityChange(session, chats)];
}

/**
 * The session actions that follow from a session action: the activity text when another chat becomes the shown one, and
 * the removal of plugins when the client that published them is no longer active.
 */
export function sessionConsequences(action: SessionAction, session: SessionState): SessionAction[] {
  switch (action.type) {
    case 'session/activeClientSet':
    case 'session/activeClientRemoved':
      return removePluginsOfInactiveClients(session);
    case 'session/defaultChatChanged':
      return shownActivityChange(session, session.chats);
    case 'session/chatRemoved':
      return [...inputNeededRemovals(action.chat, session), ...shownActivityChange(session, session.chats)];
    default:
      return [];
  }
}

/** Customizations that a client published last only while it is an active client (B-234, OQ-66). */
function removePluginsOfInactiveClients({ customizations = [], activeClients }: SessionState): SessionAction[] {
  return customizations.flatMap((entry) => {
    const clientId = 'clientId' in entry ? entry.clientId : undefined;
    const isGone = clientId !== undefined && !activeClients.some((client) => client.clientId === clientId);
    return isGone ? [{ type: 'session/customizationRemoved' as const, id: entry.id }] : [];
  });
}

const TURN_ENDS: ReadonlySet<ChatAction['type']> = new Set(['chat/turnComplete', 'chat/turnCancelled', 'chat/error']);

/** Skipped early: these arrive by the thousand and never change a catalogue entry. */
const STREAMING: ReadonlySet<ChatAction['type']> = new Set<ChatAction['type']>([
  'chat/delta',
  'chat/reasoning',
  'chat/responsePart',
  'chat/toolCallDelta',
  'chat/toolCallContentChanged',
  'chat/usage',
]);

function catalogueChanges(chat: ChatState, entry: ChatSummary): Partial<ChatSummary> | undefined {
  const activity = chat.activity ?? '';
  const { workingDirectories: folders } = chat;
  const counts = changesIn(chat.changesets, 'chat');
  const changes: Partial<ChatSummary> = {
    ...(counts && JSON.stringify(counts) !== JSON.stringify(entry.changes) && { changes: counts }),
    ...(chat.status !== entry.status && { status: chat.status }),
    ...(activity !== (entry.activity ?? '') && { activity }),
    ...(chat.modifiedAt !== entry.modifiedAt && { modifiedAt: chat.modifiedAt }),
    ...(folders && folders.join() !== entry.workingDirectories?.join() && { workingDirectories: folders }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function markUnread(action: ChatAction, session: SessionState): SessionAction[] {
  const isNews = action.type === 'chat/turnStarted' || action.type === 'chat/inputRequested';
  const isRead = (session.status & SessionStatus.IsRead) !== 0;
  return isNews && isRead ? [{ type: 'session/isReadChanged', isRead: false }] : [];
}

/** A session shows the activity of the same chat whose status it shows (B-127). */
function shownActivityChange(session: SessionState, chats: readonly ChatSummary[]): SessionAction[] {
  const activity = shownChat(chats, session.defaultChat)?.activity || undefined;
  return activity === session.activity ? [] : [{ type: 'session/activityChanged', activity }];
}

/** What a chat is doing, or why it failed; undefined when it is idle. */
function describeActivity(chat: ChatState): string | undefined {
  if (openRequests(chat).length > 0) return 'Waiting for an answer';
  const calls =
    chat.activeTurn?.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : [])) ?? [];
  const waiting = calls.find((call) => call.status.startsWith('pending'));
  if (waiting) return `Waiting for approval: ${waiting.displayName}`;
  const running = calls.findLast((call) => call.status === 'running');
  if (running?.status === 'running') return wordsOf(running.invocationMessage);
  return chat.activeTurn ? 'Working' : failureOf(chat);
}

/** Characters of an error in a list. */
const MAX_FAILURE_CHARS = 120;

/** Why the last turn failed, on one line; undefined when it did not. */
function failureOf({ turns }: ChatState): string | undefined {
  const last = turns.at(-1);
  if (last?.state !== 'error') return undefined;
  const [line = ''] = (errorOf(last)?.message ?? '').trim().split('\n');
  return line === '' ? 'Failed' : `Failed: ${line.slice(0, MAX_FAILURE_CHARS)}`;
}

/** The session actions that make its list of what is waited for agree with a chat: nobody has to follow the chat to see it. */
function inputNeededChanges(chat: ChatState, { inputNeeded = [] }: SessionState): SessionAction[] {
  const known = inputNeeded.filter((request) => request.chat === chat.resource);
  const needed = requestsOf(chat);
  if (known.length === 0 && needed.length === 0) return [];
  const gone = known.filter(({ id }) => !needed.some((request) => request.id === id));
  const changed = needed.filter((request) => !known.some((other) => isSame(other, request)));
  return [
    ...gone.map(({ id }) => ({ type: 'session/inputNeededRemoved' as const, id })),
    ...changed.map((request) => ({ type: 'session/inputNeededSet' as const, request })),
  ];
}

/** The session actions that remove what a chat waited for that is no longer there. */
function inputNeededRemovals(chat: URI, { inputNeeded = [] }: SessionState): SessionAction[] {
  return inputNeeded
    .filter((request) => request.chat === chat)
    .map(({ id }) => ({ type: 'session/inputNeededRemoved' as const, id }));
}

function requestsOf({ resource, activeTurn }: ChatState): SessionInputRequest[] {
  if (!activeTurn) return [];
  return activeTurn.responseParts.flatMap((part) => requestOf(resource, activeTurn.id, part) ?? []);
}

/** What a part of the active turn waits for; undefined when it waits for nobody. */
function requestOf(chat: URI, turnId: string, part: ResponsePart): SessionInputRequest | undefined {
  if (part.kind === 'inputRequest') {
    const { request, response } = part;
    return response === undefined ? { kind: 'chatInput', id: `${chat}#${request.id}`, chat, request } : undefined;
  }
  if (part.kind !== 'toolCall') return undefined;
  const { toolCall } = part;
  const base = { id: `${chat}#${toolCall.toolCallId}`, chat, turnId };
  switch (toolCall.status) {
    case 'pending-confirmation':
    case 'pending-result-confirmation':
      return { ...base, kind: 'toolConfirmation', toolCall };
    case 'auth-required':
      return { ...base, kind: 'toolAuthentication', toolCall };
    case 'running':
      if (toolCall.contributor?.kind !== 'client') return undefined;
      return { ...base, kind: 'toolClientExecution', clientId: toolCall.contributor.clientId, toolCall };
    default:
      return undefined;
  }
}

function isSame(one: SessionInputRequest, other: SessionInputRequest): boolean {
  if (one.id !== other.id) return false;
  // A call and a question are replaced as a whole whenever they change, so what is the same object has not changed.
  const [before, after] = [contentOf(one), contentOf(other)];
  return before === after || JSON.stringify(one) === JSON.stringify(other);
}

function contentOf(request: SessionInputRequest): object {
  return request.kind === 'chatInput' ? request.request : request.toolCall;
}
