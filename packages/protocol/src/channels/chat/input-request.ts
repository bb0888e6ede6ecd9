import Type, { type Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { URISchema } from '../../common/uri.js';
import { ChatInputAnswerSchema } from './input-answer.js';
import { ChatInputQuestionSchema } from './input-question.js';

export const ChatInputResponseKind = {
  Accept: 'accept',
  Decline: 'decline',
  Cancel: 'cancel',
} as const;
export type ChatInputResponseKind = EnumValue<typeof ChatInputResponseKind>;
export const ChatInputResponseKindSchema = enumSchema('ChatInputResponseKind', ChatInputResponseKind);

export const ChatInputRequestSchema = named(
  'ChatInputRequest',
  Type.Object({
    id: Type.String(),
    message: optional(Type.String()),
    url: optional(URISchema),
    questions: optional(Type.Array(ChatInputQuestionSchema)),
    answers: optional(Type.Record(Type.String(), ChatInputAnswerSchema)),
  }),
);
export type ChatInputRequest = Static<typeof ChatInputRequestSchema>;
