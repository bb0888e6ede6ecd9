import type { Static } from 'typebox';
import { named, optional } from '../../../common/schema.js';
import { Type } from '../../../common/type.js';
import { ChatInputAnswerSchema } from '../input-answer.js';
import { ChatInputRequestSchema, ChatInputResponseKindSchema } from '../input-request.js';

export const ChatInputRequestedActionSchema = named(
  'ChatInputRequestedAction',
  Type.Object({
    type: Type.Literal('chat/inputRequested'),
    request: ChatInputRequestSchema,
  }),
);
export type ChatInputRequestedAction = Static<typeof ChatInputRequestedActionSchema>;

export const ChatInputAnswerChangedActionSchema = named(
  'ChatInputAnswerChangedAction',
  Type.Object({
    type: Type.Literal('chat/inputAnswerChanged'),
    requestId: Type.String(),
    questionId: Type.String(),
    answer: optional(ChatInputAnswerSchema),
  }),
);
export type ChatInputAnswerChangedAction = Static<typeof ChatInputAnswerChangedActionSchema>;

export const ChatInputCompletedActionSchema = named(
  'ChatInputCompletedAction',
  Type.Object({
    type: Type.Literal('chat/inputCompleted'),
    requestId: Type.String(),
    response: ChatInputResponseKindSchema,
    answers: optional(Type.Record(Type.String(), ChatInputAnswerSchema)),
  }),
);
export type ChatInputCompletedAction = Static<typeof ChatInputCompletedActionSchema>;
