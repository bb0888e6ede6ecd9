import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type AnyObject, type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type MessageAttachment, MessageAttachmentSchema } from './attachment.js';
import { type Message, MessageSchema } from './message.js';
import { type SideChatSelection, SideChatSelectionSchema } from './state.js';

/** What a new chat begins with: a copy of another one, or a question beside it. */
export const ChatSourceKind = {
  Fork: 'fork',
  SideChat: 'sideChat',
} as const;
export type ChatSourceKind = EnumValue<typeof ChatSourceKind>;
export const ChatSourceKindSchema = enumSchema('ChatSourceKind', ChatSourceKind);

export interface ForkChatSource {
  kind: 'fork';
  /** The chat to copy. */
  chat: URI;
  /** The turn that it is about. */
  turnId: string;
}

export const ForkChatSourceSchema = object<ForkChatSource>('ForkChatSource', {
  kind: Type.Literal(ChatSourceKind.Fork),
  chat: URISchema,
  turnId: Type.String(),
});

export interface SideChatSource {
  kind: 'sideChat';
  /** The chat that it is about. */
  chat: URI;
  /** The turn that it is about. */
  turnId: string;
  /** What of its answer. */
  selection?: SideChatSelection | undefined;
}

export const SideChatSourceSchema = object<SideChatSource>('SideChatSource', {
  kind: Type.Literal(ChatSourceKind.SideChat),
  chat: URISchema,
  turnId: Type.String(),
  selection: optional(SideChatSelectionSchema),
});

export const ChatSourceSchema = named('ChatSource', Type.Union([ForkChatSourceSchema, SideChatSourceSchema]));
export type ChatSource = Static<typeof ChatSourceSchema>;

export interface CreateChatParams {
  /** The URI of the session. */
  channel: URI;
  /** The URI of the new chat, chosen by the client. */
  chat: URI;
  /** Since 1.1. */
  title?: string | undefined;
  /** What to begin with. */
  initialMessage?: Message | undefined;
  /** Another chat that it comes from. */
  source?: ChatSource | undefined;
  /** The folders it works in; without it, those of the session. */
  workingDirectories?: URI[] | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const CreateChatParamsSchema = object<CreateChatParams>('CreateChatParams', {
  channel: URISchema,
  chat: URISchema,
  title: optional(Type.String()),
  initialMessage: optional(MessageSchema),
  source: optional(ChatSourceSchema),
  workingDirectories: optional(Type.Array(URISchema)),
  _meta: optional(freeForm()),
});

export interface DisposeChatParams {
  /** The URI of the chat. */
  channel: URI;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const DisposeChatParamsSchema = object<DisposeChatParams>('DisposeChatParams', {
  channel: URISchema,
  _meta: optional(freeForm()),
});

export interface FetchTurnsParams {
  /** The URI of the chat. */
  channel: URI;
  /** Absent: the turns before those of the snapshot. */
  cursor?: string | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const FetchTurnsParamsSchema = object<FetchTurnsParams>('FetchTurnsParams', {
  channel: URISchema,
  cursor: optional(Type.String()),
  _meta: optional(freeForm()),
});

/** Empty: the turns come before it, in `chat/turnsLoaded`. */
export type FetchTurnsResult = AnyObject;

export const FetchTurnsResultSchema = object<FetchTurnsResult>('FetchTurnsResult', {});

/** What is being written when completions are asked for. */
export const CompletionItemKind = {
  UserMessage: 'userMessage',
} as const;
export type CompletionItemKind = EnumValue<typeof CompletionItemKind>;
export const CompletionItemKindSchema = enumSchema('CompletionItemKind', CompletionItemKind);

export interface CompletionItem {
  /** What takes the place of the text in the range. */
  insertText: string;
  /** Where that begins, in UTF-16 units. */
  rangeStart?: number | undefined;
  /** Where that ends. */
  rangeEnd?: number | undefined;
  /** What goes with the message then. */
  attachment: MessageAttachment;
}

export const CompletionItemSchema = object<CompletionItem>('CompletionItem', {
  insertText: Type.String(),
  rangeStart: optional(Type.Integer()),
  rangeEnd: optional(Type.Integer()),
  attachment: MessageAttachmentSchema,
});

export interface CompletionsParams {
  /** What is being typed. */
  kind: CompletionItemKind;
  /** The chat or session it is typed in. */
  channel: URI;
  /** The text so far. */
  text: string;
  /** Where the cursor is, in UTF-16 units. */
  offset: number;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const CompletionsParamsSchema = object<CompletionsParams>('CompletionsParams', {
  kind: CompletionItemKindSchema,
  channel: URISchema,
  text: Type.String(),
  offset: Type.Integer(),
  _meta: optional(freeForm()),
});

export interface CompletionsResult {
  /** What fits, best first. */
  items: CompletionItem[];
}

export const CompletionsResultSchema = object<CompletionsResult>('CompletionsResult', {
  items: Type.Array(CompletionItemSchema),
});
