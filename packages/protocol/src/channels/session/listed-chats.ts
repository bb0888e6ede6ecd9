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
