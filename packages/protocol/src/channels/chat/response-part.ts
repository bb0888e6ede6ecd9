import type { Static } from 'typebox';
import { ContentRefSchema } from '../../common/content.js';
import { ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { ChatInputRequestSchema, ChatInputResponseKindSchema } from './input-request.js';
import { ToolCallStateSchema } from './tool-call.js';

/** What a part of an answer is. */
export const ResponsePartKind = {
  Markdown: 'markdown',
  ContentRef: 'contentRef',
  ToolCall: 'toolCall',
  Reasoning: 'reasoning',
  SystemNotification: 'systemNotification',
  InputRequest: 'inputRequest',
  Error: 'error',
} as const;
export type ResponsePartKind = EnumValue<typeof ResponsePartKind>;
export const ResponsePartKindSchema = enumSchema('ResponsePartKind', ResponsePartKind);

export const MarkdownResponsePartSchema = named(
  'MarkdownResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.Markdown),
    id: Type.String(),
    content: Type.String(),
  }),
);
export type MarkdownResponsePart = Static<typeof MarkdownResponsePartSchema>;

export const ReasoningResponsePartSchema = named(
  'ReasoningResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.Reasoning),
    id: Type.String(),
    content: Type.String(),
  }),
);
export type ReasoningResponsePart = Static<typeof ReasoningResponsePartSchema>;

export const ResourceResponsePartSchema = named(
  'ResourceResponsePart',
  Type.Object({
    ...ContentRefSchema.properties,
    kind: Type.Literal(ResponsePartKind.ContentRef),
  }),
);
export type ResourceResponsePart = Static<typeof ResourceResponsePartSchema>;

export const SystemNotificationResponsePartSchema = named(
  'SystemNotificationResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.SystemNotification),
    content: StringOrMarkdownSchema,
    _meta: optional(freeForm()),
  }),
);
export type SystemNotificationResponsePart = Static<typeof SystemNotificationResponsePartSchema>;

export const ToolCallResponsePartSchema = named(
  'ToolCallResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.ToolCall),
    toolCall: ToolCallStateSchema,
  }),
);
export type ToolCallResponsePart = Static<typeof ToolCallResponsePartSchema>;

export const InputRequestResponsePartSchema = named(
  'InputRequestResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.InputRequest),
    request: ChatInputRequestSchema,
    /** Absent while nobody has answered. */
    response: optional(ChatInputResponseKindSchema),
  }),
);
export type InputRequestResponsePart = Static<typeof InputRequestResponsePartSchema>;

export const ErrorResponsePartSchema = named(
  'ErrorResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.Error),
    error: ErrorInfoSchema,
    /** Whether `chat/turnResume` may take the turn up again. */
    resumable: optional(Type.Boolean()),
  }),
);
/** Why a turn ended early; it is the last part of the turn. */
export type ErrorResponsePart = Static<typeof ErrorResponsePartSchema>;

export const ResponsePartSchema = named(
  'ResponsePart',
  Type.Union([
    MarkdownResponsePartSchema,
    ResourceResponsePartSchema,
    ToolCallResponsePartSchema,
    ReasoningResponsePartSchema,
    SystemNotificationResponsePartSchema,
    InputRequestResponsePartSchema,
    ErrorResponsePartSchema,
  ]),
);
/** A piece of an agent's answer. */
export type ResponsePart = Static<typeof ResponsePartSchema>;
