import {
  type ActionOf,
  type ChatState,
  type ChatSummary,
  type SessionState,
  SessionStatus,
  wordsOf,
} from '@moorage/protocol';
import { shownChat } from './summary.js';

type ChatAction = ActionOf<'chat'>;
type SessionAction = ActionOf<'session'>;

/**
 * The session actions that follow from a chat action: the catalogue entry follows the chat (B-143), the read flag is
 * cleared (OQ-35), the activity text changes. They are committed in the same tick, so no crash can separate them.
 */
export function chatConsequences(chat: ChatState, action: ChatAction, session: SessionState): SessionAction[] {
  if (STREAMING.has(action.type)) return [];
  const entry = session.chats.find((candidate) => candidate.resource === chat.resource);
  if (!entry) return [];
  const changes = catalogueChanges(chat, entry, action);
  const updated: SessionAction[] = changes ? [{ type: 'session/chatUpdated', chat: chat.resource, changes }] : [];
  const chats = session.chats.map((candidate) => (candidate === entry ? { ...entry, ...changes } : candidate));
  return [...updated, ...markUnread(action, session), ...activityChange(session, chats)];
}

/**
 * The session actions that follow from a session action: the activity text when another chat becomes the shown one, and
 * the removal of plugins when the client that published them is no longer active.
 */
export function sessionConsequences(action: SessionAction, session: SessionState): SessionAction[] {
  if (action.type === 'session/activeClientChanged') return removePluginsOfInactiveClients(session);
  const mayShowOtherChat = action.type === 'session/defaultChatChanged' || action.type === 'session/chatRemoved';
  return mayShowOtherChat ? activityChange(session, session.chats) : [];
}

/** Customizations that a client published last only while it is the active client (B-234, OQ-66). */
function removePluginsOfInactiveClients({ customizations = [], activeClient }: SessionState): SessionAction[] {
  return customizations.flatMap((entry) => {
    const clientId = 'clientId' in entry ? entry.clientId : undefined;
    const isGone = clientId !== undefined && clientId !== activeClient?.clientId;
    return isGone ? [{ type: 'session/customizationRemoved' as const, id: entry.id }] : [];
  });
}

/** Skipped early: these arrive by the thousand and never change a catalogue entry. */
const STREAMING: ReadonlySet<ChatAction['type']> = new Set<ChatAction['type']>([
  'chat/delta',
  'chat/reasoning',
  'chat/responsePart',
  'chat/toolCallDelta',
  'chat/toolCallContentChanged',
  'chat/usage',
]);

function catalogueChanges(chat: ChatState, entry: ChatSummary, action: ChatAction): Partial<ChatSummary> | undefined {
  const activity = describeActivity(chat);
  const changes: Partial<ChatSummary> = {
    ...(chat.status !== entry.status && { status: chat.status }),
    ...(activity !== (entry.activity ?? '') && { activity }),
    // Drafts are saved with every keystroke, so their time alone is not published. The time of a chat that was just loaded
    // may be older than its entry: the log does not record times.
    ...(chat.modifiedAt > entry.modifiedAt &&
      action.type !== 'chat/inputAnswerChanged' && { modifiedAt: chat.modifiedAt }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function markUnread(action: ChatAction, session: SessionState): SessionAction[] {
  const isNews = action.type === 'chat/turnStarted' || action.type === 'chat/inputRequested';
  const isRead = (session.summary.status & SessionStatus.IsRead) !== 0;
  return isNews && isRead ? [{ type: 'session/isReadChanged', isRead: false }] : [];
}

/** A session shows the activity of the same chat whose status it shows (B-127). */
function activityChange(session: SessionState, chats: readonly ChatSummary[]): SessionAction[] {
  const activity = shownChat(chats, session.defaultChat)?.activity || undefined;
  return activity === session.summary.activity ? [] : [{ type: 'session/activityChanged', activity }];
}

/** The activity text of a chat; empty when it is idle. */
function describeActivity(chat: ChatState): string {
  if (chat.inputRequests?.length) return 'Waiting for an answer';
  const calls =
    chat.activeTurn?.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : [])) ?? [];
  const waiting = calls.find((call) => call.status.startsWith('pending'));
  if (waiting) return `Waiting for approval: ${waiting.displayName}`;
  const running = calls.findLast((call) => call.status === 'running');
  if (running?.status === 'running') return wordsOf(running.invocationMessage);
  return chat.activeTurn ? 'Working' : '';
}
