import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { ChatInputAnswerSchema } from './input-answer.js';
import { ChatInputQuestionSchema } from './input-question.js';

/** What became of a request for input as a whole. */
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
/** Questions of an agent to the user. */
export type ChatInputRequest = Static<typeof ChatInputRequestSchema>;
