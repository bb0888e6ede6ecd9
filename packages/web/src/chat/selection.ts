import type { Mirror } from '@moorage/client';
import { type Message, selectionOf } from '@moorage/protocol';

/** A message for the model and the agent that are chosen in a chat. */
export function withSelection({ optimistic }: Mirror<'chat'>, message: Message): Message {
  const { model, agent } = selectionOf(optimistic);
  return { ...message, ...(model && { model }), ...(agent && { agent }) };
}
