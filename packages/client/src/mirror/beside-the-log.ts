import type { ActionEnvelope } from '@moorage/protocol';

/**
 * Whether an action only brings what this client asked for: earlier turns of a chat. Nobody else gets it and no replay
 * repeats it, so its number says nothing about what has arrived.
 */
export function isBesideTheLog({ action }: Pick<ActionEnvelope, 'action'>): boolean {
  return action.type === 'chat/turnsLoaded';
}
