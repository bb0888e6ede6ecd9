import type { Static } from 'typebox';
import { named } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { MessageSchema } from '../message.js';
import { PendingMessageKindSchema } from '../pending-message.js';

export const ChatPendingMessageSetActionSchema = named(
  'ChatPendingMessageSetAction',
  Type.Object({
    type: Type.Literal('chat/pendingMessageSet'),
    kind: PendingMessageKindSchema,
    id: Type.String(),
    message: MessageSchema,
  }),
);
export type ChatPendingMessageSetAction = Static<typeof ChatPendingMessageSetActionSchema>;

export const ChatPendingMessageRemovedActionSchema = named(
  'ChatPendingMessageRemovedAction',
  Type.Object({
    type: Type.Literal('chat/pendingMessageRemoved'),
    kind: PendingMessageKindSchema,
    id: Type.String(),
  }),
);
export type ChatPendingMessageRemovedAction = Static<typeof ChatPendingMessageRemovedActionSchema>;

export const ChatQueuedMessagesReorderedActionSchema = named(
  'ChatQueuedMessagesReorderedAction',
  Type.Object({
    type: Type.Literal('chat/queuedMessagesReordered'),
    order: Type.Array(Type.String()),
  }),
);
export type ChatQueuedMessagesReorderedAction = Static<typeof ChatQueuedMessagesReorderedActionSchema>;
