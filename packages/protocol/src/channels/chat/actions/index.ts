import Type, { type Static } from 'typebox';
import { named } from '../../../common/schema.js';
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
  ChatTurnStartedActionSchema,
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
  ]),
);
export type ChatAction = Static<typeof ChatActionSchema>;
