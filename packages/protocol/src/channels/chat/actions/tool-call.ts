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
  toolName: string;
  displayName: string;
  intention?: string | undefined;
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
  content?: string | undefined;
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
  contributor?: ToolCallContributor | undefined;
  intention?: string | undefined;
  invocationMessage: StringOrMarkdown;
  toolInput?: ToolInput | undefined;
  confirmationTitle?: StringOrMarkdown | undefined;
  riskAssessment?: ToolCallRiskAssessment | undefined;
  edits?: FileEditCollection | undefined;
  editable?: boolean | undefined;
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed?: ToolCallConfirmationReason | undefined;
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
  approved: true;
  /** Who allowed it: the user, a setting, or nobody had to. */
  confirmed: ToolCallConfirmationReason;
  editedToolInput?: string | undefined;
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
  approved: false;
  reason: 'denied' | 'skipped';
  userSuggestion?: Message | undefined;
  reasonMessage?: StringOrMarkdown | undefined;
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
  result: ToolCallResult;
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
