import { isObject, type Message, type StateAction } from '@moorage/protocol';
import type { Channel } from './channel.js';

/** UTF-16 units of a stored channel: a multiple of what people and agents write, a fraction of what a string can hold. */
const MAX_CHANNEL_CHARS = 96 * 1024 * 1024;

/** UTF-16 units of one action of a client, without the attachments that are kept beside state. */
const MAX_ACTION_CHARS = 2 * 1024 * 1024;

/** UTF-16 units of an action that a full channel still takes: enough to cancel, confirm, truncate and remove. */
const MAX_SMALL_ACTION_CHARS = 4 * 1024;

/** Whether the channel has grown as large as one may be. A turn that streams counts for more than its text until saved. */
export function isFull({ keeping }: Channel): boolean {
  return keeping.kind === 'durable' && keeping.saved + keeping.unsaved > MAX_CHANNEL_CHARS;
}

/** Why a client's action is too large for its channel; undefined when it is not. */
export function tooLarge(channel: Channel, action: StateAction): string | undefined {
  if (channel.keeping.kind !== 'durable') return undefined;
  const chars = charsOf(action);
  if (chars > MAX_ACTION_CHARS) {
    return `this is ${chars} characters long, and at most ${MAX_ACTION_CHARS} are taken at once: attach long text as a file`;
  }
  if (chars <= MAX_SMALL_ACTION_CHARS || !isFull(channel)) return undefined;
  return channel.kind === 'chat'
    ? 'this chat is as large as a chat can be: go on in a new one, or go back to an earlier turn'
    : 'this is as large as it can be: remove something first';
}

function charsOf(action: StateAction): number {
  return JSON.stringify(withoutAttachedData(action)).length;
}

function withoutAttachedData(action: StateAction): unknown {
  if (action.type === 'chat/draftChanged') return { ...action, draft: withoutData(action.draft) };
  if (!('message' in action) || typeof action.message !== 'object') return action;
  return { ...action, message: withoutData(action.message) };
}

function withoutData(message: Message | undefined): unknown {
  if (!Array.isArray(message?.attachments)) return message; // senders may add members that the action does not have
  const attachments = message.attachments.map((one) =>
    isObject(one) && one.type === 'embeddedResource' ? { ...one, data: '' } : one,
  );
  return { ...message, attachments };
}
