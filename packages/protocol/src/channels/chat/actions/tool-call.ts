import type { Static } from 'typebox';
import { FileEditCollectionSchema, ToolInputSchema } from '../../../common/content.js';
import { freeForm, named, optional } from '../../../common/schema.js';
import { StringOrMarkdownSchema } from '../../../common/text.js';
import { Type } from '../../../common/type.js';
import { McpAuthRequirementSchema } from '../../session/mcp-server.js';
import {
  ConfirmationOptionSchema,
  ToolCallCancellationReason,
  ToolCallConfirmationReasonSchema,
} from '../confirmation.js';
import { MessageSchema } from '../message.js';
import { ToolCallRiskAssessmentSchema } from '../risk-assessment.js';
import { ToolCallContributorSchema } from '../tool-call.js';
import { ToolCallResultSchema, ToolResultContentSchema } from '../tool-result.js';

export const ToolCallActionBaseSchema = named(
  'ToolCallActionBase',
  Type.Object({
    turnId: Type.String(),
    toolCallId: Type.String(),
    _meta: optional(freeForm()),
  }),
);
export type ToolCallActionBase = Static<typeof ToolCallActionBaseSchema>;

export const ChatToolCallStartActionSchema = named(
  'ChatToolCallStartAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallStart'),
    toolName: Type.String(),
    displayName: Type.String(),
    intention: optional(Type.String()),
    contributor: optional(ToolCallContributorSchema),
  }),
);
export type ChatToolCallStartAction = Static<typeof ChatToolCallStartActionSchema>;

export const ChatToolCallDeltaActionSchema = named(
  'ChatToolCallDeltaAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallDelta'),
    content: optional(Type.String()),
    invocationMessage: optional(StringOrMarkdownSchema),
  }),
);
export type ChatToolCallDeltaAction = Static<typeof ChatToolCallDeltaActionSchema>;

export const ChatToolCallReadyActionSchema = named(
  'ChatToolCallReadyAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallReady'),
    contributor: optional(ToolCallContributorSchema),
    intention: optional(Type.String()),
    invocationMessage: StringOrMarkdownSchema,
    toolInput: optional(ToolInputSchema),
    confirmationTitle: optional(StringOrMarkdownSchema),
    riskAssessment: optional(ToolCallRiskAssessmentSchema),
    edits: optional(FileEditCollectionSchema),
    editable: optional(Type.Boolean()),
    confirmed: optional(ToolCallConfirmationReasonSchema),
    options: optional(Type.Array(ConfirmationOptionSchema)),
  }),
);
export type ChatToolCallReadyAction = Static<typeof ChatToolCallReadyActionSchema>;

export const ChatToolCallApprovedActionSchema = named(
  'ChatToolCallApprovedAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallConfirmed'),
    approved: Type.Literal(true),
    confirmed: ToolCallConfirmationReasonSchema,
    editedToolInput: optional(Type.String()),
    selectedOptionId: optional(Type.String()),
  }),
);
export type ChatToolCallApprovedAction = Static<typeof ChatToolCallApprovedActionSchema>;

export const ChatToolCallDeniedActionSchema = named(
  'ChatToolCallDeniedAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallConfirmed'),
    approved: Type.Literal(false),
    reason: Type.Enum([ToolCallCancellationReason.Denied, ToolCallCancellationReason.Skipped]),
    userSuggestion: optional(MessageSchema),
    reasonMessage: optional(StringOrMarkdownSchema),
    selectedOptionId: optional(Type.String()),
  }),
);
export type ChatToolCallDeniedAction = Static<typeof ChatToolCallDeniedActionSchema>;

export const ChatToolCallConfirmedActionSchema = named(
  'ChatToolCallConfirmedAction',
  Type.Union([ChatToolCallApprovedActionSchema, ChatToolCallDeniedActionSchema]),
);
export type ChatToolCallConfirmedAction = Static<typeof ChatToolCallConfirmedActionSchema>;

export const ChatToolCallCompleteActionSchema = named(
  'ChatToolCallCompleteAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallComplete'),
    result: ToolCallResultSchema,
    requiresResultConfirmation: optional(Type.Boolean()),
  }),
);
export type ChatToolCallCompleteAction = Static<typeof ChatToolCallCompleteActionSchema>;

export const ChatToolCallResultConfirmedActionSchema = named(
  'ChatToolCallResultConfirmedAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallResultConfirmed'),
    approved: Type.Boolean(),
  }),
);
export type ChatToolCallResultConfirmedAction = Static<typeof ChatToolCallResultConfirmedActionSchema>;

export const ChatToolCallContentChangedActionSchema = named(
  'ChatToolCallContentChangedAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallContentChanged'),
    content: Type.Array(ToolResultContentSchema),
  }),
);
export type ChatToolCallContentChangedAction = Static<typeof ChatToolCallContentChangedActionSchema>;

export const ChatToolCallAuthRequiredActionSchema = named(
  'ChatToolCallAuthRequiredAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallAuthRequired'),
    auth: McpAuthRequirementSchema,
  }),
);
export type ChatToolCallAuthRequiredAction = Static<typeof ChatToolCallAuthRequiredActionSchema>;

export const ChatToolCallAuthResolvedActionSchema = named(
  'ChatToolCallAuthResolvedAction',
  Type.Object({
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallAuthResolved'),
  }),
);
export type ChatToolCallAuthResolvedAction = Static<typeof ChatToolCallAuthResolvedActionSchema>;
