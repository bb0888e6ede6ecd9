import Type, { type Static } from 'typebox';
import { ContentRefSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, named } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import { ToolCallStateSchema } from './tool-call.js';

/** What a part of an answer is. */
export const ResponsePartKind = {
  Markdown: 'markdown',
  ContentRef: 'contentRef',
  ToolCall: 'toolCall',
  Reasoning: 'reasoning',
  SystemNotification: 'systemNotification',
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

export const ResourceReponsePartSchema = named(
  'ResourceReponsePart',
  Type.Object({
    ...ContentRefSchema.properties,
    kind: Type.Literal(ResponsePartKind.ContentRef),
  }),
);
export type ResourceReponsePart = Static<typeof ResourceReponsePartSchema>;

export const SystemNotificationResponsePartSchema = named(
  'SystemNotificationResponsePart',
  Type.Object({
    kind: Type.Literal(ResponsePartKind.SystemNotification),
    content: StringOrMarkdownSchema,
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

export const ResponsePartSchema = named(
  'ResponsePart',
  Type.Union([
    MarkdownResponsePartSchema,
    ResourceReponsePartSchema,
    ToolCallResponsePartSchema,
    ReasoningResponsePartSchema,
    SystemNotificationResponsePartSchema,
  ]),
);
/** A piece of an agent's answer. */
export type ResponsePart = Static<typeof ResponsePartSchema>;
