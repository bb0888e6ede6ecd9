import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** How far an answer is: drafts are shared by all clients, and only submitted ones count. */
export const ChatInputAnswerState = {
  Draft: 'draft',
  Submitted: 'submitted',
  Skipped: 'skipped',
} as const;
export type ChatInputAnswerState = EnumValue<typeof ChatInputAnswerState>;
export const ChatInputAnswerStateSchema = enumSchema('ChatInputAnswerState', ChatInputAnswerState);

/** The form of the value that a question was answered with. */
export const ChatInputAnswerValueKind = {
  Text: 'text',
  Number: 'number',
  Boolean: 'boolean',
  Selected: 'selected',
  SelectedMany: 'selected-many',
} as const;
export type ChatInputAnswerValueKind = EnumValue<typeof ChatInputAnswerValueKind>;
export const ChatInputAnswerValueKindSchema = enumSchema('ChatInputAnswerValueKind', ChatInputAnswerValueKind);

export const ChatInputTextAnswerValueSchema = named(
  'ChatInputTextAnswerValue',
  Type.Object({
    kind: Type.Literal(ChatInputAnswerValueKind.Text),
    value: Type.String(),
  }),
);
export type ChatInputTextAnswerValue = Static<typeof ChatInputTextAnswerValueSchema>;

export const ChatInputNumberAnswerValueSchema = named(
  'ChatInputNumberAnswerValue',
  Type.Object({
    kind: Type.Literal(ChatInputAnswerValueKind.Number),
    value: Type.Number(),
  }),
);
export type ChatInputNumberAnswerValue = Static<typeof ChatInputNumberAnswerValueSchema>;

export const ChatInputBooleanAnswerValueSchema = named(
  'ChatInputBooleanAnswerValue',
  Type.Object({
    kind: Type.Literal(ChatInputAnswerValueKind.Boolean),
    value: Type.Boolean(),
  }),
);
export type ChatInputBooleanAnswerValue = Static<typeof ChatInputBooleanAnswerValueSchema>;

export const ChatInputSelectedAnswerValueSchema = named(
  'ChatInputSelectedAnswerValue',
  Type.Object({
    kind: Type.Literal(ChatInputAnswerValueKind.Selected),
    value: Type.String(),
    freeformValues: optional(Type.Array(Type.String())),
  }),
);
export type ChatInputSelectedAnswerValue = Static<typeof ChatInputSelectedAnswerValueSchema>;

export const ChatInputSelectedManyAnswerValueSchema = named(
  'ChatInputSelectedManyAnswerValue',
  Type.Object({
    kind: Type.Literal(ChatInputAnswerValueKind.SelectedMany),
    value: Type.Array(Type.String()),
    freeformValues: optional(Type.Array(Type.String())),
  }),
);
export type ChatInputSelectedManyAnswerValue = Static<typeof ChatInputSelectedManyAnswerValueSchema>;

export const ChatInputAnswerValueSchema = named(
  'ChatInputAnswerValue',
  Type.Union([
    ChatInputTextAnswerValueSchema,
    ChatInputNumberAnswerValueSchema,
    ChatInputBooleanAnswerValueSchema,
    ChatInputSelectedAnswerValueSchema,
    ChatInputSelectedManyAnswerValueSchema,
  ]),
);
export type ChatInputAnswerValue = Static<typeof ChatInputAnswerValueSchema>;

export const ChatInputAnsweredSchema = named(
  'ChatInputAnswered',
  Type.Object({
    state: Type.Enum([ChatInputAnswerState.Draft, ChatInputAnswerState.Submitted]),
    value: ChatInputAnswerValueSchema,
  }),
);
export type ChatInputAnswered = Static<typeof ChatInputAnsweredSchema>;

export const ChatInputSkippedSchema = named(
  'ChatInputSkipped',
  Type.Object({
    state: Type.Literal(ChatInputAnswerState.Skipped),
    freeformValues: optional(Type.Array(Type.String())),
  }),
);
export type ChatInputSkipped = Static<typeof ChatInputSkippedSchema>;

export const ChatInputAnswerSchema = named(
  'ChatInputAnswer',
  Type.Union([ChatInputAnsweredSchema, ChatInputSkippedSchema]),
);
/** An answer to one of them. */
export type ChatInputAnswer = Static<typeof ChatInputAnswerSchema>;
