import {
  type FileEditCollection,
  FileEditCollectionSchema,
  type ToolInput,
  ToolInputSchema,
} from '../../../common/content.js';
import { freeForm, named, object, optional } from '../../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema } from '../../../common/text.js';
import { type Static, Type } from '../../../common/type.js';
import { type McpAuthRequirement, McpAuthRequirementSchema } from '../../session/mcp-server.js';
import {
  type ConfirmationOption,
  ConfirmationOptionSchema,
  ToolCallCancellationReason,
  type ToolCallConfirmationReason,
  ToolCallConfirmationReasonSchema,
} from '../confirmation.js';
import { type Message, MessageSchema } from '../message.js';
import { type ToolCallRiskAssessment, ToolCallRiskAssessmentSchema } from '../risk-assessment.js';
import { type ToolCallContributor, ToolCallContributorSchema } from '../tool-call.js';
import {
  type ToolCallResult,
  ToolCallResultSchema,
  type ToolResultContent,
  ToolResultContentSchema,
} from '../tool-result.js';

export interface ToolCallActionBase {
  /** The turn that it is about. */
  turnId: string;
  /** The call. */
  toolCallId: string;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ToolCallActionBaseSchema = object<ToolCallActionBase>('ToolCallActionBase', {
  turnId: Type.String(),
  toolCallId: Type.String(),
  _meta: optional(freeForm()),
});

export interface ChatToolCallStartAction extends ToolCallActionBase {
  type: 'chat/toolCallStart';
  /** The name that the agent knows the tool by. */
  toolName: string;
  /** What to show in place of `toolName`, such as `Write file`. */
  displayName: string;
  /** Why the agent wants it, in its own words. */
  intention?: string | undefined;
  /** Who has the tool; without it, the agent. */
  contributor?: ToolCallContributor | undefined;
}

export const ChatToolCallStartActionSchema = object<ChatToolCallStartAction>('ChatToolCallStartAction', {
  ...ToolCallActionBaseSchema.properties,
  type: Type.Literal('chat/toolCallStart'),
  toolName: Type.String(),
  displayName: Type.String(),
  intention: optional(Type.String()),
  contributor: optional(ToolCallContributorSchema),
});

export interface ChatToolCallDeltaAction extends ToolCallActionBase {
  type: 'chat/toolCallDelta';
  /** Input to append. */
  content?: string | undefined;
  /** What the call does, as far as that is known. */
  invocationMessage?: StringOrMarkdown | undefined;
}

export const ChatToolCallDeltaActionSchema = object<ChatToolCallDeltaAction>('ChatToolCallDeltaAction', {
  ...ToolCallActionBaseSchema.properties,
  type: Type.Literal('chat/toolCallDelta'),
  content: optional(Type.String()),
  invocationMessage: optional(StringOrMarkdownSchema),
});

export interface ChatToolCallReadyAction extends ToolCallActionBase {
  type: 'chat/toolCallReady';
  /** Who has the tool; without it, as before. */
  contributor?: ToolCallContributor | undefined;
  /** Why the agent wants it, in its own words. */
  intention?: string | undefined;
  /** What the call does, in the present tense. */
  invocationMessage: StringOrMarkdown;
  /** The complete input, usually JSON as text. */
  toolInput?: ToolInput | undefined;
  /** The question to the user. */
  confirmationTitle?: StringOrMarkdown | undefined;
  /** How risky the call seems to be. */
  riskAssessment?: ToolCallRiskAssessment | undefined;
  /** What it would change. */
  edits?: FileEditCollection | undefined;
  /** Whether the user may change the input before allowing it. */
  editable?: boolean | undefined;
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed?: ToolCallConfirmationReason | undefined;
  /** What can be answered; without it, yes and no. */
  options?: ConfirmationOption[] | undefined;
}

export const ChatToolCallReadyActionSchema = object<ChatToolCallReadyAction>('ChatToolCallReadyAction', {
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
});

export interface ChatToolCallApprovedAction extends ToolCallActionBase {
  type: 'chat/toolCallConfirmed';
  /** It may run. */
  approved: true;
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed: ToolCallConfirmationReason;
  /** Other input than the agent's. */
  editedToolInput?: string | undefined;
  /** The option that was chosen, if there were any. */
  selectedOptionId?: string | undefined;
}

export const ChatToolCallApprovedActionSchema = object<ChatToolCallApprovedAction>('ChatToolCallApprovedAction', {
  ...ToolCallActionBaseSchema.properties,
  type: Type.Literal('chat/toolCallConfirmed'),
  approved: Type.Literal(true),
  confirmed: ToolCallConfirmationReasonSchema,
  editedToolInput: optional(Type.String()),
  selectedOptionId: optional(Type.String()),
});

export interface ChatToolCallDeniedAction extends ToolCallActionBase {
  type: 'chat/toolCallConfirmed';
  /** It may not run. */
  approved: false;
  /** Whether it is refused, or only left out. */
  reason: 'denied' | 'skipped';
  /** What the user would rather have. */
  userSuggestion?: Message | undefined;
  /** What the user says about it. */
  reasonMessage?: StringOrMarkdown | undefined;
  /** The option that was chosen, if there were any. */
  selectedOptionId?: string | undefined;
}

export const ChatToolCallDeniedActionSchema = object<ChatToolCallDeniedAction>('ChatToolCallDeniedAction', {
  ...ToolCallActionBaseSchema.properties,
  type: Type.Literal('chat/toolCallConfirmed'),
  approved: Type.Literal(false),
  reason: Type.Enum([ToolCallCancellationReason.Denied, ToolCallCancellationReason.Skipped]),
  userSuggestion: optional(MessageSchema),
  reasonMessage: optional(StringOrMarkdownSchema),
  selectedOptionId: optional(Type.String()),
});

export const ChatToolCallConfirmedActionSchema = named(
  'ChatToolCallConfirmedAction',
  Type.Union([ChatToolCallApprovedActionSchema, ChatToolCallDeniedActionSchema]),
);
export type ChatToolCallConfirmedAction = Static<typeof ChatToolCallConfirmedActionSchema>;

export interface ChatToolCallCompleteAction extends ToolCallActionBase {
  type: 'chat/toolCallComplete';
  /** What came of it. */
  result: ToolCallResult;
  /** Whether the user decides if the agent gets the result. */
  requiresResultConfirmation?: boolean | undefined;
}

export const ChatToolCallCompleteActionSchema = object<ChatToolCallCompleteAction>('ChatToolCallCompleteAction', {
  ...ToolCallActionBaseSchema.properties,
  type: Type.Literal('chat/toolCallComplete'),
  result: ToolCallResultSchema,
  requiresResultConfirmation: optional(Type.Boolean()),
});

export interface ChatToolCallResultConfirmedAction extends ToolCallActionBase {
  type: 'chat/toolCallResultConfirmed';
  /** Whether the agent gets the result. */
  approved: boolean;
}

export const ChatToolCallResultConfirmedActionSchema = object<ChatToolCallResultConfirmedAction>(
  'ChatToolCallResultConfirmedAction',
  {
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallResultConfirmed'),
    approved: Type.Boolean(),
  },
);

export interface ChatToolCallContentChangedAction extends ToolCallActionBase {
  type: 'chat/toolCallContentChanged';
  /** All that it has given so far. */
  content: ToolResultContent[];
}

export const ChatToolCallContentChangedActionSchema = object<ChatToolCallContentChangedAction>(
  'ChatToolCallContentChangedAction',
  {
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallContentChanged'),
    content: Type.Array(ToolResultContentSchema),
  },
);

export interface ChatToolCallAuthRequiredAction extends ToolCallActionBase {
  type: 'chat/toolCallAuthRequired';
  /** What the MCP server wants. */
  auth: McpAuthRequirement;
}

export const ChatToolCallAuthRequiredActionSchema = object<ChatToolCallAuthRequiredAction>(
  'ChatToolCallAuthRequiredAction',
  {
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallAuthRequired'),
    auth: McpAuthRequirementSchema,
  },
);

export interface ChatToolCallAuthResolvedAction extends ToolCallActionBase {
  type: 'chat/toolCallAuthResolved';
}

export const ChatToolCallAuthResolvedActionSchema = object<ChatToolCallAuthResolvedAction>(
  'ChatToolCallAuthResolvedAction',
  {
    ...ToolCallActionBaseSchema.properties,
    type: Type.Literal('chat/toolCallAuthResolved'),
  },
);
