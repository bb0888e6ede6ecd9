import type { Static } from 'typebox';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { MessageAttachmentSchema } from './attachment.js';
import { MessageSchema } from './message.js';
import { SideChatSelectionSchema } from './state.js';

/** What a new chat begins with: a copy of another one, or a question beside it. */
export const ChatSourceKind = {
  Fork: 'fork',
  SideChat: 'sideChat',
} as const;
export type ChatSourceKind = EnumValue<typeof ChatSourceKind>;
export const ChatSourceKindSchema = enumSchema('ChatSourceKind', ChatSourceKind);

export const ForkChatSourceSchema = named(
  'ForkChatSource',
  Type.Object({
    kind: Type.Literal(ChatSourceKind.Fork),
    chat: URISchema,
    turnId: Type.String(),
  }),
);
export type ForkChatSource = Static<typeof ForkChatSourceSchema>;

export const SideChatSourceSchema = named(
  'SideChatSource',
  Type.Object({
    kind: Type.Literal(ChatSourceKind.SideChat),
    chat: URISchema,
    turnId: Type.String(),
    selection: optional(SideChatSelectionSchema),
  }),
);
export type SideChatSource = Static<typeof SideChatSourceSchema>;

export const ChatSourceSchema = named('ChatSource', Type.Union([ForkChatSourceSchema, SideChatSourceSchema]));
export type ChatSource = Static<typeof ChatSourceSchema>;

export const CreateChatParamsSchema = named(
  'CreateChatParams',
  Type.Object({
    channel: URISchema,
    chat: URISchema,
    /** Since 1.1. */
    title: optional(Type.String()),
    initialMessage: optional(MessageSchema),
    source: optional(ChatSourceSchema),
    workingDirectories: optional(Type.Array(URISchema)),
    _meta: optional(freeForm()),
  }),
);
export type CreateChatParams = Static<typeof CreateChatParamsSchema>;

export const DisposeChatParamsSchema = named(
  'DisposeChatParams',
  Type.Object({
    channel: URISchema,
    _meta: optional(freeForm()),
  }),
);
export type DisposeChatParams = Static<typeof DisposeChatParamsSchema>;

export const FetchTurnsParamsSchema = named(
  'FetchTurnsParams',
  Type.Object({
    channel: URISchema,
    /** Absent: the turns before those of the snapshot. */
    cursor: optional(Type.String()),
    _meta: optional(freeForm()),
  }),
);
export type FetchTurnsParams = Static<typeof FetchTurnsParamsSchema>;

/** Empty: the turns come before it, in `chat/turnsLoaded`. */
export const FetchTurnsResultSchema = named('FetchTurnsResult', Type.Object({}));
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
    _meta: optional(freeForm()),
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
