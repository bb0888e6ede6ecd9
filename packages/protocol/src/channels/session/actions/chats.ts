import { object, optional, type Partially, partial } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type URI, URISchema } from '../../../common/uri.js';
import { type ChatSummary, ChatSummarySchema } from '../../chat/state.js';

export interface SessionChatAddedAction {
  type: 'session/chatAdded';
  /** The new chat. */
  summary: ChatSummary;
}

export const SessionChatAddedActionSchema = object<SessionChatAddedAction>('SessionChatAddedAction', {
  type: Type.Literal('session/chatAdded'),
  summary: ChatSummarySchema,
});

export interface SessionChatRemovedAction {
  type: 'session/chatRemoved';
  /** The chat that is gone. */
  chat: URI;
}

export const SessionChatRemovedActionSchema = object<SessionChatRemovedAction>('SessionChatRemovedAction', {
  type: Type.Literal('session/chatRemoved'),
  chat: URISchema,
});

export interface SessionChatUpdatedAction {
  type: 'session/chatUpdated';
  /** The URI of the chat. */
  chat: URI;
  /** Only what has changed. */
  changes: Partially<ChatSummary>;
}

export const SessionChatUpdatedActionSchema = object<SessionChatUpdatedAction>('SessionChatUpdatedAction', {
  type: Type.Literal('session/chatUpdated'),
  chat: URISchema,
  changes: partial(ChatSummarySchema),
});

export interface SessionDefaultChatChangedAction {
  type: 'session/defaultChatChanged';
  /** The chat to show first. */
  defaultChat?: URI | undefined;
}

export const SessionDefaultChatChangedActionSchema = object<SessionDefaultChatChangedAction>(
  'SessionDefaultChatChangedAction',
  {
    type: Type.Literal('session/defaultChatChanged'),
    defaultChat: optional(URISchema),
  },
);

export interface SessionChatsReorderedAction {
  type: 'session/chatsReordered';
  /** All chats, in their new order. */
  chats: URI[];
}

export const SessionChatsReorderedActionSchema = object<SessionChatsReorderedAction>('SessionChatsReorderedAction', {
  type: Type.Literal('session/chatsReordered'),
  chats: Type.Array(URISchema),
});
