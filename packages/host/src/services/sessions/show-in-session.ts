import type { Channel } from '../../core/channel.js';
import { changesToShow, currentActivity } from '../../core/consequences.js';
import type { CommittingDoor } from '../../core/door-parts.js';

/**
 * Makes a session show one of its chats as it is, above all what the chat waits for. Both always change together, but in a
 * store that was migrated or recovered the session may not say it yet.
 */
export function showInSession(door: CommittingDoor, chat: Channel<'chat'>): void {
  const session = door.channels.sessionOf(chat);
  if (!session) return;
  const activity = currentActivity(chat.state);
  if (activity) door.commit(chat, activity);
  for (const action of changesToShow(chat.state, session.state)) door.commit(session, action);
}
