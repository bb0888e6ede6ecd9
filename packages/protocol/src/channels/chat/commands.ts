import Type, { type Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { AgentSelectionSchema, ModelSelectionSchema } from '../../common/selection.js';
import { URISchema } from '../../common/uri.js';
import { MessageAttachmentSchema } from './attachment.js';
import { MessageSchema } from './message.js';
import { TurnSchema } from './turn.js';

export const ChatForkSourceSchema = named(
  'ChatForkSource',
  Type.Object({
    chat: URISchema,
    turnId: Type.String(),
  }),
);
export type ChatForkSource = Static<typeof ChatForkSourceSchema>;

export const CreateChatParamsSchema = named(
  'CreateChatParams',
  Type.Object({
    channel: URISchema,
    chat: URISchema,
    initialMessage: optional(MessageSchema),
    model: optional(ModelSelectionSchema),
    agent: optional(AgentSelectionSchema),
    source: optional(ChatForkSourceSchema),
  }),
);
export type CreateChatParams = Static<typeof CreateChatParamsSchema>;

export const DisposeChatParamsSchema = named(
  'DisposeChatParams',
  Type.Object({
    channel: URISchema,
  }),
);
export type DisposeChatParams = Static<typeof DisposeChatParamsSchema>;

export const FetchTurnsParamsSchema = named(
  'FetchTurnsParams',
  Type.Object({
    channel: URISchema,
    before: optional(Type.String()),
    limit: optional(Type.Integer()),
  }),
);
export type FetchTurnsParams = Static<typeof FetchTurnsParamsSchema>;

export const FetchTurnsResultSchema = named(
  'FetchTurnsResult',
  Type.Object({
    turns: Type.Array(TurnSchema),
    hasMore: Type.Boolean(),
  }),
);
export type FetchTurnsResult = Static<typeof FetchTurnsResultSchema>;

/** What is being written when completions are asked for. */
export const CompletionItemKind = {
  UserMessage: 'userMessage',
} as const;
export type CompletionItemKind = EnumValue<typeof CompletionItemKind>;
export const CompletionItemKindSchema = enumSchema('CompletionItemKind', CompletionItemKind);

export const CompletionItemSchema = named(
  'CompletionItem',
  Type.Object({
    insertText: Type.String(),
    rangeStart: optional(Type.Integer()),
    rangeEnd: optional(Type.Integer()),
    attachment: MessageAttachmentSchema,
  }),
);
export type CompletionItem = Static<typeof CompletionItemSchema>;

export const CompletionsParamsSchema = named(
  'CompletionsParams',
  Type.Object({
    kind: CompletionItemKindSchema,
    channel: URISchema,
    text: Type.String(),
    offset: Type.Integer(),
  }),
);
export type CompletionsParams = Static<typeof CompletionsParamsSchema>;

export const CompletionsResultSchema = named(
  'CompletionsResult',
  Type.Object({
    items: Type.Array(CompletionItemSchema),
  }),
);
export type CompletionsResult = Static<typeof CompletionsResultSchema>;
