import Type, { type Static } from 'typebox';
import { FileEditSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import {
  ConfirmationOptionSchema,
  ToolCallCancellationReasonSchema,
  ToolCallConfirmationReasonSchema,
} from './confirmation.js';
import { MessageSchema } from './message.js';
import { ToolCallResultSchema, ToolResultContentSchema } from './tool-result.js';

/** How far a tool call is. It can only run once it is confirmed. */
export const ToolCallStatus = {
  Streaming: 'streaming',
  PendingConfirmation: 'pending-confirmation',
  Running: 'running',
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
    contributor: optional(ToolCallContributorSchema),
    _meta: optional(freeForm()),
  }),
);
export type ToolCallBase = Static<typeof ToolCallBaseSchema>;

export const ToolCallParameterFieldsSchema = named(
  'ToolCallParameterFields',
  Type.Object({
    invocationMessage: StringOrMarkdownSchema,
    toolInput: optional(Type.String()),
  }),
);
export type ToolCallParameterFields = Static<typeof ToolCallParameterFieldsSchema>;

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
    edits: optional(Type.Object({ items: Type.Array(FileEditSchema) })),
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

export const ToolCallStateSchema = named(
  'ToolCallState',
  Type.Union([
    ToolCallStreamingStateSchema,
    ToolCallPendingConfirmationStateSchema,
    ToolCallRunningStateSchema,
    ToolCallPendingResultConfirmationStateSchema,
    ToolCallCompletedStateSchema,
    ToolCallCancelledStateSchema,
  ]),
);
/** A tool call; its `status` tells which members there are. */
export type ToolCallState = Static<typeof ToolCallStateSchema>;
