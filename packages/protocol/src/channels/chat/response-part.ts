import { type ContentRef, ContentRefSchema } from '../../common/content.js';
import { type ErrorInfo, ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import {
  type ChatInputRequest,
  ChatInputRequestSchema,
  type ChatInputResponseKind,
  ChatInputResponseKindSchema,
} from './input-request.js';
import { type ToolCallState, ToolCallStateSchema } from './tool-call.js';

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

export interface MarkdownResponsePart {
  kind: 'markdown';
  /** Unique within the turn; what is appended names it. */
  id: string;
  /** The text so far. */
  content: string;
}

export const MarkdownResponsePartSchema = object<MarkdownResponsePart>('MarkdownResponsePart', {
  kind: Type.Literal(ResponsePartKind.Markdown),
  id: Type.String(),
  content: Type.String(),
});

export interface ReasoningResponsePart {
  kind: 'reasoning';
  /** Unique within the turn; what is appended names it. */
  id: string;
  /** The thought so far. */
  content: string;
}

export const ReasoningResponsePartSchema = object<ReasoningResponsePart>('ReasoningResponsePart', {
  kind: Type.Literal(ResponsePartKind.Reasoning),
  id: Type.String(),
  content: Type.String(),
});

export interface ResourceResponsePart extends ContentRef {
  kind: 'contentRef';
}

export const ResourceResponsePartSchema = object<ResourceResponsePart>('ResourceResponsePart', {
  ...ContentRefSchema.properties,
  kind: Type.Literal(ResponsePartKind.ContentRef),
});

export interface SystemNotificationResponsePart {
  kind: 'systemNotification';
  /** What the host or the agent has to say beside the answer. */
  content: StringOrMarkdown;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const SystemNotificationResponsePartSchema = object<SystemNotificationResponsePart>(
  'SystemNotificationResponsePart',
  {
    kind: Type.Literal(ResponsePartKind.SystemNotification),
    content: StringOrMarkdownSchema,
    _meta: optional(freeForm()),
  },
);

export interface ToolCallResponsePart {
  kind: 'toolCall';
  /** The call as it is now. */
  toolCall: ToolCallState;
}

export const ToolCallResponsePartSchema = object<ToolCallResponsePart>('ToolCallResponsePart', {
  kind: Type.Literal(ResponsePartKind.ToolCall),
  toolCall: ToolCallStateSchema,
});

export interface InputRequestResponsePart {
  kind: 'inputRequest';
  /** What is asked, with the answers. */
  request: ChatInputRequest;
  /** Absent while nobody has answered. */
  response?: ChatInputResponseKind | undefined;
  /** Our extension: what programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const InputRequestResponsePartSchema = object<InputRequestResponsePart>('InputRequestResponsePart', {
  kind: Type.Literal(ResponsePartKind.InputRequest),
  request: ChatInputRequestSchema,
  response: optional(ChatInputResponseKindSchema),
  _meta: optional(freeForm()),
});

/** Why a turn ended early; it is the last part of the turn. */
export interface ErrorResponsePart {
  kind: 'error';
  /** What went wrong. */
  error: ErrorInfo;
  /** Whether `chat/turnResume` may take the turn up again. */
  resumable?: boolean | undefined;
}

export const ErrorResponsePartSchema = object<ErrorResponsePart>('ErrorResponsePart', {
  kind: Type.Literal(ResponsePartKind.Error),
  error: ErrorInfoSchema,
  resumable: optional(Type.Boolean()),
});

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
