import { ExtensionMeta } from '../../common/extension-meta.js';
import type { ChatSummary } from '../chat/state.js';
import type { SessionState } from './state.js';
import type { SessionChatSummary, SessionSummary } from './summary.js';

/** What lists of sessions say of the chats of a session. */
export function listedChats({
  chats,
  defaultChat,
}: Pick<SessionState, 'chats' | 'defaultChat'>): Pick<SessionSummary, 'chats' | 'defaultChat'> {
  return { chats: chats.map(listedChat), ...(defaultChat !== undefined && { defaultChat }) };
}

function listedChat({ resource, title, origin, interactivity, status, changes }: ChatSummary): SessionChatSummary {
  return {
    resource,
    title,
    ...(origin && { origin }),
    ...(interactivity && { interactivity }),
    status,
    ...(changes && { changes }),
  };
}

/** Our extension: the member of a session's `_meta` that says when it was created, as an ISO string. */
export const CREATED_AT = ExtensionMeta.createdAt;

/** When a session was created, in milliseconds; 0 when it does not say. */
export function createdAtOf({ _meta }: Pick<SessionState, '_meta'>): number {
  const time = Date.parse(String(_meta?.[CREATED_AT]));
  return Number.isFinite(time) ? time : 0;
}

/** When something last happened in a session, in milliseconds: its creation, or the latest change of a chat. */
export function modifiedAtOf(session: Pick<SessionState, '_meta' | 'chats'>): number {
  const times = session.chats.map((chat) => Date.parse(chat.modifiedAt)).filter(Number.isFinite);
  return Math.max(createdAtOf(session), ...times);
}
