import type { Static } from 'typebox';
import { FileEditCollectionSchema, ToolInputSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { McpAuthRequirementSchema } from '../session/mcp-server.js';
import {
  ConfirmationOptionSchema,
  ToolCallCancellationReasonSchema,
  ToolCallConfirmationReasonSchema,
} from './confirmation.js';
import { MessageSchema } from './message.js';
import { ToolCallRiskAssessmentSchema } from './risk-assessment.js';
import { ToolCallResultSchema, ToolResultContentSchema } from './tool-result.js';

/** How far a tool call is. It can only run once it is confirmed. */
export const ToolCallStatus = {
  Streaming: 'streaming',
  PendingConfirmation: 'pending-confirmation',
  Running: 'running',
  AuthRequired: 'auth-required',
  PendingResultConfirmation: 'pending-result-confirmation',
  Completed: 'completed',
  Cancelled: 'cancelled',
} as const;
export type ToolCallStatus = EnumValue<typeof ToolCallStatus>;
export const ToolCallStatusSchema = enumSchema('ToolCallStatus', ToolCallStatus);

/** Who runs a tool that the agent does not have itself. */
export const ToolCallContributorKind = {
  Client: 'client',
  MCP: 'mcp',
} as const;
export type ToolCallContributorKind = EnumValue<typeof ToolCallContributorKind>;
export const ToolCallContributorKindSchema = enumSchema('ToolCallContributorKind', ToolCallContributorKind);

export const ToolCallClientContributorSchema = named(
  'ToolCallClientContributor',
  Type.Object({
    kind: Type.Literal(ToolCallContributorKind.Client),
    clientId: Type.String(),
  }),
);
export type ToolCallClientContributor = Static<typeof ToolCallClientContributorSchema>;

export const ToolCallMcpContributorSchema = named(
  'ToolCallMcpContributor',
  Type.Object({
    kind: Type.Literal(ToolCallContributorKind.MCP),
    customizationId: Type.String(),
  }),
);
export type ToolCallMcpContributor = Static<typeof ToolCallMcpContributorSchema>;

export const ToolCallContributorSchema = named(
  'ToolCallContributor',
  Type.Union([ToolCallClientContributorSchema, ToolCallMcpContributorSchema]),
);
export type ToolCallContributor = Static<typeof ToolCallContributorSchema>;

export const ToolCallBaseSchema = named(
  'ToolCallBase',
  Type.Object({
    toolCallId: Type.String(),
    toolName: Type.String(),
    displayName: Type.String(),
    intention: optional(Type.String()),
    contributor: optional(ToolCallContributorSchema),
    _meta: optional(freeForm()),
  }),
);
export type ToolCallBase = Static<typeof ToolCallBaseSchema>;

export const ToolCallParameterFieldsSchema = named(
  'ToolCallParameterFields',
  Type.Object({
    invocationMessage: StringOrMarkdownSchema,
    toolInput: optional(ToolInputSchema),
  }),
);
export type ToolCallParameterFields = Static<typeof ToolCallParameterFieldsSchema>;

export const ToolCallPostConfirmationFieldsSchema = named(
  'ToolCallPostConfirmationFields',
  Type.Object({
    confirmed: ToolCallConfirmationReasonSchema,
    selectedOption: optional(ConfirmationOptionSchema),
  }),
);
export type ToolCallPostConfirmationFields = Static<typeof ToolCallPostConfirmationFieldsSchema>;

export const ToolCallStreamingStateSchema = named(
  'ToolCallStreamingState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    status: Type.Literal(ToolCallStatus.Streaming),
    partialInput: optional(Type.String()),
    invocationMessage: optional(StringOrMarkdownSchema),
  }),
);
export type ToolCallStreamingState = Static<typeof ToolCallStreamingStateSchema>;

export const ToolCallPendingConfirmationStateSchema = named(
  'ToolCallPendingConfirmationState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    status: Type.Literal(ToolCallStatus.PendingConfirmation),
    confirmationTitle: optional(StringOrMarkdownSchema),
    riskAssessment: optional(ToolCallRiskAssessmentSchema),
    edits: optional(FileEditCollectionSchema),
    editable: optional(Type.Boolean()),
    options: optional(Type.Array(ConfirmationOptionSchema)),
  }),
);
export type ToolCallPendingConfirmationState = Static<typeof ToolCallPendingConfirmationStateSchema>;

export const ToolCallRunningStateSchema = named(
  'ToolCallRunningState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    status: Type.Literal(ToolCallStatus.Running),
    confirmed: ToolCallConfirmationReasonSchema,
    selectedOption: optional(ConfirmationOptionSchema),
    content: optional(Type.Array(ToolResultContentSchema)),
  }),
);
export type ToolCallRunningState = Static<typeof ToolCallRunningStateSchema>;

export const ToolCallAuthRequiredStateSchema = named(
  'ToolCallAuthRequiredState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    ...ToolCallPostConfirmationFieldsSchema.properties,
    status: Type.Literal(ToolCallStatus.AuthRequired),
    contributor: ToolCallMcpContributorSchema,
    auth: McpAuthRequirementSchema,
    content: optional(Type.Array(ToolResultContentSchema)),
  }),
);
/** A running call of an MCP server that waits for a token. */
export type ToolCallAuthRequiredState = Static<typeof ToolCallAuthRequiredStateSchema>;

export const ToolCallPendingResultConfirmationStateSchema = named(
  'ToolCallPendingResultConfirmationState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    ...ToolCallResultSchema.properties,
    status: Type.Literal(ToolCallStatus.PendingResultConfirmation),
    confirmed: ToolCallConfirmationReasonSchema,
    selectedOption: optional(ConfirmationOptionSchema),
  }),
);
export type ToolCallPendingResultConfirmationState = Static<typeof ToolCallPendingResultConfirmationStateSchema>;

export const ToolCallCompletedStateSchema = named(
  'ToolCallCompletedState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    ...ToolCallResultSchema.properties,
    status: Type.Literal(ToolCallStatus.Completed),
    confirmed: ToolCallConfirmationReasonSchema,
    selectedOption: optional(ConfirmationOptionSchema),
  }),
);
export type ToolCallCompletedState = Static<typeof ToolCallCompletedStateSchema>;

export const ToolCallCancelledStateSchema = named(
  'ToolCallCancelledState',
  Type.Object({
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    status: Type.Literal(ToolCallStatus.Cancelled),
    reason: ToolCallCancellationReasonSchema,
    reasonMessage: optional(StringOrMarkdownSchema),
    userSuggestion: optional(MessageSchema),
    selectedOption: optional(ConfirmationOptionSchema),
  }),
);
export type ToolCallCancelledState = Static<typeof ToolCallCancelledStateSchema>;

export const ToolCallConfirmationStateSchema = named(
  'ToolCallConfirmationState',
  Type.Union([ToolCallPendingConfirmationStateSchema, ToolCallPendingResultConfirmationStateSchema]),
);
/** A call that waits for the user: before it runs, or before its result is used. */
export type ToolCallConfirmationState = Static<typeof ToolCallConfirmationStateSchema>;

export const ToolCallStateSchema = named(
  'ToolCallState',
  Type.Union([
    ToolCallStreamingStateSchema,
    ToolCallPendingConfirmationStateSchema,
    ToolCallRunningStateSchema,
    ToolCallAuthRequiredStateSchema,
    ToolCallPendingResultConfirmationStateSchema,
    ToolCallCompletedStateSchema,
    ToolCallCancelledStateSchema,
  ]),
);
/** A tool call; its `status` tells which members there are. */
export type ToolCallState = Static<typeof ToolCallStateSchema>;
