import { object } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type Message, MessageSchema } from '../message.js';
import { type PendingMessageKind, PendingMessageKindSchema } from '../pending-message.js';

export interface ChatPendingMessageSetAction {
  type: 'chat/pendingMessageSet';
  /** Whether it steers the running turn, or waits for the next. */
  kind: PendingMessageKind;
  /** Chosen by the client; one with the same id is replaced. */
  id: string;
  /** What will be sent. */
  message: Message;
}

export const ChatPendingMessageSetActionSchema = object<ChatPendingMessageSetAction>('ChatPendingMessageSetAction', {
  type: Type.Literal('chat/pendingMessageSet'),
  kind: PendingMessageKindSchema,
  id: Type.String(),
  message: MessageSchema,
});

export interface ChatPendingMessageRemovedAction {
  type: 'chat/pendingMessageRemoved';
  /** Which kind of message it is. */
  kind: PendingMessageKind;
  /** The message. */
  id: string;
}

export const ChatPendingMessageRemovedActionSchema = object<ChatPendingMessageRemovedAction>(
  'ChatPendingMessageRemovedAction',
  {
    type: Type.Literal('chat/pendingMessageRemoved'),
    kind: PendingMessageKindSchema,
    id: Type.String(),
  },
);

export interface ChatQueuedMessagesReorderedAction {
  type: 'chat/queuedMessagesReordered';
  /** The ids of the messages, in their new order. */
  order: string[];
}

export const ChatQueuedMessagesReorderedActionSchema = object<ChatQueuedMessagesReorderedAction>(
  'ChatQueuedMessagesReorderedAction',
  {
    type: Type.Literal('chat/queuedMessagesReordered'),
    order: Type.Array(Type.String()),
  },
);
