import { object, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { type ChatInputAnswer, ChatInputAnswerSchema } from '../input-answer.js';
import {
  type ChatInputRequest,
  ChatInputRequestSchema,
  type ChatInputResponseKind,
  ChatInputResponseKindSchema,
} from '../input-request.js';

export interface ChatInputRequestedAction {
  type: 'chat/inputRequested';
  request: ChatInputRequest;
}

export const ChatInputRequestedActionSchema = object<ChatInputRequestedAction>('ChatInputRequestedAction', {
  type: Type.Literal('chat/inputRequested'),
  request: ChatInputRequestSchema,
});

export interface ChatInputAnswerChangedAction {
  type: 'chat/inputAnswerChanged';
  requestId: string;
  questionId: string;
  answer?: ChatInputAnswer | undefined;
}

export const ChatInputAnswerChangedActionSchema = object<ChatInputAnswerChangedAction>('ChatInputAnswerChangedAction', {
  type: Type.Literal('chat/inputAnswerChanged'),
  requestId: Type.String(),
  questionId: Type.String(),
  answer: optional(ChatInputAnswerSchema),
});

export interface ChatInputCompletedAction {
  type: 'chat/inputCompleted';
  requestId: string;
  response: ChatInputResponseKind;
  answers?: Record<string, ChatInputAnswer> | undefined;
}

export const ChatInputCompletedActionSchema = object<ChatInputCompletedAction>('ChatInputCompletedAction', {
  type: Type.Literal('chat/inputCompleted'),
  requestId: Type.String(),
  response: ChatInputResponseKindSchema,
  answers: optional(Type.Record(ChatInputAnswerSchema)),
});
