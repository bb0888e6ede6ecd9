import { ExtensionMeta } from '@moorage/protocol';
import { hasTurn } from '../../../core/chat-turns.js';
import type { ReadingDoor } from '../../../core/door-parts.js';
import { invalidParams } from '../../../core/errors.js';
import { NothingToDo, OperationRefused } from '../refused.js';
import type { Subject } from '../subject.js';
import type { Runner } from './job.js';
import { revert } from './revert.js';

/**
 * Takes back what a turn and the later ones of its chat changed, for a client that sends an earlier message again. What the
 * user and other chats did stays.
 */
export const revertSince: Runner = async (job) => {
  const { subject, turn } = job;
  if (turn === undefined) throw new OperationRefused('The turn is missing; nothing was changed.');
  const changes = await subject.changesSince(turn);
  if (changes.length === 0) return { message: 'Nothing has changed since.' };
  try {
    return await revert({ ...job, changes });
  } catch (error) {
    if (error instanceof NothingToDo) return { message: error.message }; // no reason not to send the message
    throw error;
  }
};

/** The turn that the `_meta` of the request names. Throws if it is not one of the chat that the changeset is about. */
export function turnToRevert(
  meta: Readonly<Record<string, unknown>>,
  { selector }: Pick<Subject, 'selector'>,
  channels: ReadingDoor['channels'],
): string {
  const { [ExtensionMeta.turn]: turn } = meta;
  const chat = selector.kind === 'chat' ? channels.find('chat', selector.chat) : undefined;
  if (typeof turn === 'string' && chat && hasTurn(chat.state, turn)) return turn;
  throw invalidParams(`params/_meta/${ExtensionMeta.turn}: expected the id of a turn of this chat`);
}
