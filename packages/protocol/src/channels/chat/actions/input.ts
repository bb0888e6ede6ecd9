import { freeForm, object, optional } from '../../../common/schema.js';
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
  /** The questions, with the id that the answer names. */
  request: ChatInputRequest;
}

export const ChatInputRequestedActionSchema = object<ChatInputRequestedAction>('ChatInputRequestedAction', {
  type: Type.Literal('chat/inputRequested'),
  request: ChatInputRequestSchema,
});

export interface ChatInputAnswerChangedAction {
  type: 'chat/inputAnswerChanged';
  /** The request that it is about. */
  requestId: string;
  /** The id of one of the request's questions. */
  questionId: string;
  /** The draft; without it, there is none any more. */
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
  /** The request that it is about. */
  requestId: string;
  /** Whether the user accepts, declines or cancels. */
  response: ChatInputResponseKind;
  /** The answers, by the id of the question. */
  answers?: Record<string, ChatInputAnswer> | undefined;
  /** Our extension: becomes the `_meta` of the part. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChatInputCompletedActionSchema = object<ChatInputCompletedAction>('ChatInputCompletedAction', {
  type: Type.Literal('chat/inputCompleted'),
  requestId: Type.String(),
  response: ChatInputResponseKindSchema,
  answers: optional(Type.Record(ChatInputAnswerSchema)),
  _meta: optional(freeForm()),
});
