import { named } from '../../../common/schema.js';
import { type Static, Type } from '../../../common/type.js';
import { ChatDeltaActionSchema, ChatReasoningActionSchema, ChatResponsePartActionSchema } from './content.js';
import {
  ChatInputAnswerChangedActionSchema,
  ChatInputCompletedActionSchema,
  ChatInputRequestedActionSchema,
} from './input.js';
import {
  ChatPendingMessageRemovedActionSchema,
  ChatPendingMessageSetActionSchema,
  ChatQueuedMessagesReorderedActionSchema,
} from './pending-message.js';
import {
  ChatActivityChangedActionSchema,
  ChatBackgroundWorkRemovedActionSchema,
  ChatBackgroundWorkSetActionSchema,
  ChatChangesetsChangedActionSchema,
  ChatDraftChangedActionSchema,
  ChatIsArchivedChangedActionSchema,
  ChatIsReadChangedActionSchema,
  ChatMovableChangedActionSchema,
  ChatWorkingDirectoryRemovedActionSchema,
  ChatWorkingDirectorySetActionSchema,
} from './summary.js';
import {
  ChatToolCallAuthRequiredActionSchema,
  ChatToolCallAuthResolvedActionSchema,
  ChatToolCallCompleteActionSchema,
  ChatToolCallConfirmedActionSchema,
  ChatToolCallContentChangedActionSchema,
  ChatToolCallDeltaActionSchema,
  ChatToolCallReadyActionSchema,
  ChatToolCallResultConfirmedActionSchema,
  ChatToolCallStartActionSchema,
} from './tool-call.js';
import {
  ChatErrorActionSchema,
  ChatTruncatedActionSchema,
  ChatTurnCancelledActionSchema,
  ChatTurnCompleteActionSchema,
  ChatTurnResumeActionSchema,
  ChatTurnStartedActionSchema,
  ChatTurnsLoadedActionSchema,
  ChatUsageActionSchema,
} from './turn.js';

export const ChatActionSchema = named(
  'ChatAction',
  Type.Union([
    ChatTurnStartedActionSchema,
    ChatDeltaActionSchema,
    ChatResponsePartActionSchema,
    ChatToolCallStartActionSchema,
    ChatToolCallDeltaActionSchema,
    ChatToolCallReadyActionSchema,
    ChatToolCallConfirmedActionSchema,
    ChatToolCallCompleteActionSchema,
    ChatToolCallResultConfirmedActionSchema,
    ChatToolCallContentChangedActionSchema,
    ChatTurnCompleteActionSchema,
    ChatTurnCancelledActionSchema,
    ChatErrorActionSchema,
    ChatUsageActionSchema,
    ChatReasoningActionSchema,
    ChatTruncatedActionSchema,
    ChatPendingMessageSetActionSchema,
    ChatPendingMessageRemovedActionSchema,
    ChatQueuedMessagesReorderedActionSchema,
    ChatInputRequestedActionSchema,
    ChatInputAnswerChangedActionSchema,
    ChatInputCompletedActionSchema,
    ChatToolCallAuthRequiredActionSchema,
    ChatToolCallAuthResolvedActionSchema,
    ChatTurnResumeActionSchema,
    ChatTurnsLoadedActionSchema,
    ChatActivityChangedActionSchema,
    ChatIsReadChangedActionSchema,
    ChatIsArchivedChangedActionSchema,
    ChatMovableChangedActionSchema,
    ChatWorkingDirectorySetActionSchema,
    ChatWorkingDirectoryRemovedActionSchema,
    ChatDraftChangedActionSchema,
    ChatChangesetsChangedActionSchema,
    ChatBackgroundWorkSetActionSchema,
    ChatBackgroundWorkRemovedActionSchema,
  ]),
);
export type ChatAction = Static<typeof ChatActionSchema>;
