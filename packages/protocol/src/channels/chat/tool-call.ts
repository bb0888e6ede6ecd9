import {
  type FileEditCollection,
  FileEditCollectionSchema,
  type ToolInput,
  ToolInputSchema,
} from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import { type McpAuthRequirement, McpAuthRequirementSchema } from '../session/mcp-server.js';
import {
  type ConfirmationOption,
  ConfirmationOptionSchema,
  type ToolCallCancellationReason,
  ToolCallCancellationReasonSchema,
  type ToolCallConfirmationReason,
  ToolCallConfirmationReasonSchema,
} from './confirmation.js';
import { type Message, MessageSchema } from './message.js';
import { type ToolCallRiskAssessment, ToolCallRiskAssessmentSchema } from './risk-assessment.js';
import {
  type ToolCallResult,
  ToolCallResultSchema,
  type ToolResultContent,
  ToolResultContentSchema,
} from './tool-result.js';

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

export interface ToolCallClientContributor {
  kind: 'client';
  /** The client that has the tool. */
  clientId: string;
}

export const ToolCallClientContributorSchema = object<ToolCallClientContributor>('ToolCallClientContributor', {
  kind: Type.Literal(ToolCallContributorKind.Client),
  clientId: Type.String(),
});

export interface ToolCallMcpContributor {
  kind: 'mcp';
  /** The MCP server, by the id that the session lists it with. */
  customizationId: string;
}

export const ToolCallMcpContributorSchema = object<ToolCallMcpContributor>('ToolCallMcpContributor', {
  kind: Type.Literal(ToolCallContributorKind.MCP),
  customizationId: Type.String(),
});

export const ToolCallContributorSchema = named(
  'ToolCallContributor',
  Type.Union([ToolCallClientContributorSchema, ToolCallMcpContributorSchema]),
);
export type ToolCallContributor = Static<typeof ToolCallContributorSchema>;

export interface ToolCallBase {
  /** Unique within the turn. */
  toolCallId: string;
  /** The name that the agent knows the tool by. */
  toolName: string;
  /** What to show in place of `toolName`, such as `Write file`. */
  displayName: string;
  /** Why the agent wants it, in its own words. */
  intention?: string | undefined;
  /** Who has the tool; without it, the agent. */
  contributor?: ToolCallContributor | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ToolCallBaseSchema = object<ToolCallBase>('ToolCallBase', {
  toolCallId: Type.String(),
  toolName: Type.String(),
  displayName: Type.String(),
  intention: optional(Type.String()),
  contributor: optional(ToolCallContributorSchema),
  _meta: optional(freeForm()),
});

export interface ToolCallParameterFields {
  /** What the call does, in the present tense. */
  invocationMessage: StringOrMarkdown;
  /** The complete input, usually JSON as text. */
  toolInput?: ToolInput | undefined;
}

export const ToolCallParameterFieldsSchema = object<ToolCallParameterFields>('ToolCallParameterFields', {
  invocationMessage: StringOrMarkdownSchema,
  toolInput: optional(ToolInputSchema),
});

export interface ToolCallPostConfirmationFields {
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed: ToolCallConfirmationReason;
  /** The option that was chosen, if there were any. */
  selectedOption?: ConfirmationOption | undefined;
}

export const ToolCallPostConfirmationFieldsSchema = object<ToolCallPostConfirmationFields>(
  'ToolCallPostConfirmationFields',
  {
    confirmed: ToolCallConfirmationReasonSchema,
    selectedOption: optional(ConfirmationOptionSchema),
  },
);

export interface ToolCallStreamingState extends ToolCallBase {
  status: 'streaming';
  /** The input as far as the model has written it. */
  partialInput?: string | undefined;
  /** What the call does, if that is known already. */
  invocationMessage?: StringOrMarkdown | undefined;
}

export const ToolCallStreamingStateSchema = object<ToolCallStreamingState>('ToolCallStreamingState', {
  ...ToolCallBaseSchema.properties,
  status: Type.Literal(ToolCallStatus.Streaming),
  partialInput: optional(Type.String()),
  invocationMessage: optional(StringOrMarkdownSchema),
});

export interface ToolCallPendingConfirmationState extends ToolCallBase, ToolCallParameterFields {
  status: 'pending-confirmation';
  /** The question to the user. */
  confirmationTitle?: StringOrMarkdown | undefined;
  /** How risky the call seems to be. */
  riskAssessment?: ToolCallRiskAssessment | undefined;
  /** What it would change. */
  edits?: FileEditCollection | undefined;
  /** Whether the user may change the input before allowing it. */
  editable?: boolean | undefined;
  /** What can be answered; without it, yes and no. */
  options?: ConfirmationOption[] | undefined;
}

export const ToolCallPendingConfirmationStateSchema = object<ToolCallPendingConfirmationState>(
  'ToolCallPendingConfirmationState',
  {
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    status: Type.Literal(ToolCallStatus.PendingConfirmation),
    confirmationTitle: optional(StringOrMarkdownSchema),
    riskAssessment: optional(ToolCallRiskAssessmentSchema),
    edits: optional(FileEditCollectionSchema),
    editable: optional(Type.Boolean()),
    options: optional(Type.Array(ConfirmationOptionSchema)),
  },
);

export interface ToolCallRunningState extends ToolCallBase, ToolCallParameterFields {
  status: 'running';
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed: ToolCallConfirmationReason;
  /** The option that was chosen, if there were any. */
  selectedOption?: ConfirmationOption | undefined;
  /** What it has given so far. */
  content?: ToolResultContent[] | undefined;
}

export const ToolCallRunningStateSchema = object<ToolCallRunningState>('ToolCallRunningState', {
  ...ToolCallBaseSchema.properties,
  ...ToolCallParameterFieldsSchema.properties,
  status: Type.Literal(ToolCallStatus.Running),
  confirmed: ToolCallConfirmationReasonSchema,
  selectedOption: optional(ConfirmationOptionSchema),
  content: optional(Type.Array(ToolResultContentSchema)),
});

/** A running call of an MCP server that waits for a token. */
export interface ToolCallAuthRequiredState
  extends ToolCallBase,
    ToolCallParameterFields,
    ToolCallPostConfirmationFields {
  /** The MCP server that wants a token. */
  contributor: ToolCallMcpContributor;
  status: 'auth-required';
  /** What it wants. */
  auth: McpAuthRequirement;
  /** What the call has given so far. */
  content?: ToolResultContent[] | undefined;
}

export const ToolCallAuthRequiredStateSchema = object<ToolCallAuthRequiredState>('ToolCallAuthRequiredState', {
  ...ToolCallBaseSchema.properties,
  ...ToolCallParameterFieldsSchema.properties,
  ...ToolCallPostConfirmationFieldsSchema.properties,
  status: Type.Literal(ToolCallStatus.AuthRequired),
  contributor: ToolCallMcpContributorSchema,
  auth: McpAuthRequirementSchema,
  content: optional(Type.Array(ToolResultContentSchema)),
});

export interface ToolCallPendingResultConfirmationState extends ToolCallBase, ToolCallParameterFields, ToolCallResult {
  status: 'pending-result-confirmation';
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed: ToolCallConfirmationReason;
  /** The option that was chosen, if there were any. */
  selectedOption?: ConfirmationOption | undefined;
}

export const ToolCallPendingResultConfirmationStateSchema = object<ToolCallPendingResultConfirmationState>(
  'ToolCallPendingResultConfirmationState',
  {
    ...ToolCallBaseSchema.properties,
    ...ToolCallParameterFieldsSchema.properties,
    ...ToolCallResultSchema.properties,
    status: Type.Literal(ToolCallStatus.PendingResultConfirmation),
    confirmed: ToolCallConfirmationReasonSchema,
    selectedOption: optional(ConfirmationOptionSchema),
  },
);

export interface ToolCallCompletedState extends ToolCallBase, ToolCallParameterFields, ToolCallResult {
  status: 'completed';
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed: ToolCallConfirmationReason;
  /** The option that was chosen, if there were any. */
  selectedOption?: ConfirmationOption | undefined;
}

export const ToolCallCompletedStateSchema = object<ToolCallCompletedState>('ToolCallCompletedState', {
  ...ToolCallBaseSchema.properties,
  ...ToolCallParameterFieldsSchema.properties,
  ...ToolCallResultSchema.properties,
  status: Type.Literal(ToolCallStatus.Completed),
  confirmed: ToolCallConfirmationReasonSchema,
  selectedOption: optional(ConfirmationOptionSchema),
});

export interface ToolCallCancelledState extends ToolCallBase, ToolCallParameterFields {
  status: 'cancelled';
  /** Why it did not run. */
  reason: ToolCallCancellationReason;
  /** What the user said about it. */
  reasonMessage?: StringOrMarkdown | undefined;
  /** What the user would rather have. */
  userSuggestion?: Message | undefined;
  /** The option that was chosen, if there were any. */
  selectedOption?: ConfirmationOption | undefined;
}

export const ToolCallCancelledStateSchema = object<ToolCallCancelledState>('ToolCallCancelledState', {
  ...ToolCallBaseSchema.properties,
  ...ToolCallParameterFieldsSchema.properties,
  status: Type.Literal(ToolCallStatus.Cancelled),
  reason: ToolCallCancellationReasonSchema,
  reasonMessage: optional(StringOrMarkdownSchema),
  userSuggestion: optional(MessageSchema),
  selectedOption: optional(ConfirmationOptionSchema),
});

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
