import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** The form of answer that a question asks for. */
export const ChatInputQuestionKind = {
  Text: 'text',
  Number: 'number',
  Integer: 'integer',
  Boolean: 'boolean',
  SingleSelect: 'single-select',
  MultiSelect: 'multi-select',
} as const;
export type ChatInputQuestionKind = EnumValue<typeof ChatInputQuestionKind>;
export const ChatInputQuestionKindSchema = enumSchema('ChatInputQuestionKind', ChatInputQuestionKind);

export const ChatInputOptionSchema = named(
  'ChatInputOption',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    description: optional(Type.String()),
    recommended: optional(Type.Boolean()),
  }),
);
export type ChatInputOption = Static<typeof ChatInputOptionSchema>;

export const ChatInputQuestionBaseSchema = named(
  'ChatInputQuestionBase',
  Type.Object({
    id: Type.String(),
    title: optional(Type.String()),
    message: Type.String(),
    required: optional(Type.Boolean()),
  }),
);
export type ChatInputQuestionBase = Static<typeof ChatInputQuestionBaseSchema>;

export const ChatInputTextQuestionSchema = named(
  'ChatInputTextQuestion',
  Type.Object({
    ...ChatInputQuestionBaseSchema.properties,
    kind: Type.Literal(ChatInputQuestionKind.Text),
    format: optional(Type.String()),
    min: optional(Type.Integer()),
    max: optional(Type.Integer()),
    defaultValue: optional(Type.String()),
  }),
);
export type ChatInputTextQuestion = Static<typeof ChatInputTextQuestionSchema>;

export const ChatInputNumberQuestionSchema = named(
  'ChatInputNumberQuestion',
  Type.Object({
    ...ChatInputQuestionBaseSchema.properties,
    kind: Type.Enum([ChatInputQuestionKind.Number, ChatInputQuestionKind.Integer]),
    min: optional(Type.Number()),
    max: optional(Type.Number()),
    defaultValue: optional(Type.Number()),
  }),
);
export type ChatInputNumberQuestion = Static<typeof ChatInputNumberQuestionSchema>;

export const ChatInputBooleanQuestionSchema = named(
  'ChatInputBooleanQuestion',
  Type.Object({
    ...ChatInputQuestionBaseSchema.properties,
    kind: Type.Literal(ChatInputQuestionKind.Boolean),
    defaultValue: optional(Type.Boolean()),
  }),
);
export type ChatInputBooleanQuestion = Static<typeof ChatInputBooleanQuestionSchema>;

export const ChatInputSingleSelectQuestionSchema = named(
  'ChatInputSingleSelectQuestion',
  Type.Object({
    ...ChatInputQuestionBaseSchema.properties,
    kind: Type.Literal(ChatInputQuestionKind.SingleSelect),
    options: Type.Array(ChatInputOptionSchema),
    allowFreeformInput: optional(Type.Boolean()),
  }),
);
export type ChatInputSingleSelectQuestion = Static<typeof ChatInputSingleSelectQuestionSchema>;

export const ChatInputMultiSelectQuestionSchema = named(
  'ChatInputMultiSelectQuestion',
  Type.Object({
    ...ChatInputQuestionBaseSchema.properties,
    kind: Type.Literal(ChatInputQuestionKind.MultiSelect),
    options: Type.Array(ChatInputOptionSchema),
    allowFreeformInput: optional(Type.Boolean()),
    min: optional(Type.Integer()),
    max: optional(Type.Integer()),
  }),
);
export type ChatInputMultiSelectQuestion = Static<typeof ChatInputMultiSelectQuestionSchema>;

export const ChatInputQuestionSchema = named(
  'ChatInputQuestion',
  Type.Union([
    ChatInputTextQuestionSchema,
    ChatInputNumberQuestionSchema,
    ChatInputBooleanQuestionSchema,
    ChatInputSingleSelectQuestionSchema,
    ChatInputMultiSelectQuestionSchema,
  ]),
);
export type ChatInputQuestion = Static<typeof ChatInputQuestionSchema>;
