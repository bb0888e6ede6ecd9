import { type EnumValue, enumSchema, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type ChatInputAnswer, ChatInputAnswerSchema } from './input-answer.js';
import { type ChatInputQuestion, ChatInputQuestionSchema } from './input-question.js';

/** What became of a request for input as a whole. */
export const ChatInputResponseKind = {
  Accept: 'accept',
  Decline: 'decline',
  Cancel: 'cancel',
} as const;
export type ChatInputResponseKind = EnumValue<typeof ChatInputResponseKind>;
export const ChatInputResponseKindSchema = enumSchema('ChatInputResponseKind', ChatInputResponseKind);

/** Questions of an agent to the user. */
export interface ChatInputRequest {
  /** Unique within the chat; the answer names it. */
  id: string;
  /** What it is about. */
  message?: string | undefined;
  /** A page to open, where the user does what is asked. */
  url?: URI | undefined;
  /** What is asked; without it, only yes or no. */
  questions?: ChatInputQuestion[] | undefined;
  /** Drafts and answers so far, by the id of the question. Everybody sees them. */
  answers?: Record<string, ChatInputAnswer> | undefined;
}

export const ChatInputRequestSchema = object<ChatInputRequest>('ChatInputRequest', {
  id: Type.String(),
  message: optional(Type.String()),
  url: optional(URISchema),
  questions: optional(Type.Array(ChatInputQuestionSchema)),
  answers: optional(Type.Record(ChatInputAnswerSchema)),
});
