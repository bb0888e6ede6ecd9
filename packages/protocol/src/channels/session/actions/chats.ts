import type { Static } from 'typebox';
import { named, optional, partial } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { URISchema } from '../../../common/uri.js';
import { ChatSummarySchema } from '../../chat/state.js';

export const SessionChatAddedActionSchema = named(
  'SessionChatAddedAction',
  Type.Object({
    type: Type.Literal('session/chatAdded'),
    summary: ChatSummarySchema,
  }),
);
export type SessionChatAddedAction = Static<typeof SessionChatAddedActionSchema>;

export const SessionChatRemovedActionSchema = named(
  'SessionChatRemovedAction',
  Type.Object({
    type: Type.Literal('session/chatRemoved'),
    chat: URISchema,
  }),
);
export type SessionChatRemovedAction = Static<typeof SessionChatRemovedActionSchema>;

export const SessionChatUpdatedActionSchema = named(
  'SessionChatUpdatedAction',
  Type.Object({
    type: Type.Literal('session/chatUpdated'),
    chat: URISchema,
    changes: partial(ChatSummarySchema),
  }),
);
export type SessionChatUpdatedAction = Static<typeof SessionChatUpdatedActionSchema>;

export const SessionDefaultChatChangedActionSchema = named(
  'SessionDefaultChatChangedAction',
  Type.Object({
    type: Type.Literal('session/defaultChatChanged'),
    defaultChat: optional(URISchema),
  }),
);
export type SessionDefaultChatChangedAction = Static<typeof SessionDefaultChatChangedActionSchema>;

export const SessionChatsReorderedActionSchema = named(
  'SessionChatsReorderedAction',
  Type.Object({
    type: Type.Literal('session/chatsReordered'),
    chats: Type.Array(URISchema),
  }),
);
export type SessionChatsReorderedAction = Static<typeof SessionChatsReorderedActionSchema>;
