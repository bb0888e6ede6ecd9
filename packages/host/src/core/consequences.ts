import {
  type ActionOf,
  type ChatState,
  type ChatSummary,
  type SessionState,
  SessionStatus,
  wordsOf,
} from '@ahpd/protocol';
import { shownChat } from './summary.js';

type ChatAction = ActionOf<'chat'>;
type SessionAction = ActionOf<'session'>;

/**
 * What an action on a chat means for its session: the catalogue entry follows the chat (B-143), the read flag drops
 * (OQ-35), the activity text changes. Committed in the same tick, so that no crash can leave the two apart.
 */
export function chatConsequences(chat: ChatState, action: ChatAction, session: SessionState): SessionAction[] {
  if (STREAMING.has(action.type)) return [];
  const entry = session.chats.find((candidate) => candidate.resource === chat.resource);
  if (!entry) return [];
  const changes = catalogueChanges(chat, entry, action);
  const updated: SessionAction[] = changes ? [{ type: 'session/chatUpdated', chat: chat.resource, changes }] : [];
  const chats = session.chats.map((candidate) => (candidate === entry ? { ...entry, ...changes } : candidate));
  return [...updated, ...unread(action, session), ...activityChange(session, chats)];
}

/** What an action on a session means for it: another chat may be the one that it shows, or a client's plugins go with it. */
export function sessionConsequences(action: SessionAction, session: SessionState): SessionAction[] {
  if (action.type === 'session/activeClientChanged') return withoutPluginsOfGone(session);
  const isOther = action.type === 'session/defaultChatChanged' || action.type === 'session/chatRemoved';
  return isOther ? activityChange(session, session.chats) : [];
}

/** What a client published is not there without it (B-234, OQ-66). */
function withoutPluginsOfGone({ customizations = [], activeClient }: SessionState): SessionAction[] {
  return customizations.flatMap((entry) => {
    const clientId = 'clientId' in entry ? entry.clientId : undefined;
    const isGone = clientId !== undefined && clientId !== activeClient?.clientId;
    return isGone ? [{ type: 'session/customizationRemoved' as const, id: entry.id }] : [];
  });
}

/** These come by the thousand and never change what a list of chats shows. */
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
    // A draft is saved with every keystroke; its time alone is not news. A chat that was loaded may be behind its entry.
    ...(chat.modifiedAt > entry.modifiedAt &&
      action.type !== 'chat/inputAnswerChanged' && { modifiedAt: chat.modifiedAt }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function unread(action: ChatAction, session: SessionState): SessionAction[] {
  const news = action.type === 'chat/turnStarted' || action.type === 'chat/inputRequested';
  const isRead = (session.summary.status & SessionStatus.IsRead) !== 0;
  return news && isRead ? [{ type: 'session/isReadChanged', isRead: false }] : [];
}

/** The session's activity is that of the chat whose status it shows (B-127). */
function activityChange(session: SessionState, chats: readonly ChatSummary[]): SessionAction[] {
  const activity = shownChat(chats, session.defaultChat)?.activity || undefined;
  return activity === session.summary.activity ? [] : [{ type: 'session/activityChanged', activity }];
}

/** What a chat is doing, in a few words; empty when it does nothing. */
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
