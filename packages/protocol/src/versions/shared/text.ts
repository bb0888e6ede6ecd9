import type { Change } from '../dialect.js';

/** Whether a change appends text. These are by far the most frequent, and the same in all versions that have chats. */
export function isText({ action }: Change): boolean {
  switch (action.type) {
    case 'chat/delta':
    case 'chat/reasoning':
    case 'terminal/data':
      return true;
    case 'chat/toolCallDelta':
      return action.content !== undefined;
    default:
      return false;
  }
}
