import { type EnumValue, enumSchema, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';

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

export interface ChatInputOption {
  id: string;
  label: string;
  description?: string | undefined;
  recommended?: boolean | undefined;
}

export const ChatInputOptionSchema = object<ChatInputOption>('ChatInputOption', {
  id: Type.String(),
  label: Type.String(),
  description: optional(Type.String()),
  recommended: optional(Type.Boolean()),
});

export interface ChatInputQuestionBase {
  id: string;
  title?: string | undefined;
  message: string;
  required?: boolean | undefined;
}

export const ChatInputQuestionBaseSchema = object<ChatInputQuestionBase>('ChatInputQuestionBase', {
  id: Type.String(),
  title: optional(Type.String()),
  message: Type.String(),
  required: optional(Type.Boolean()),
});

export interface ChatInputTextQuestion extends ChatInputQuestionBase {
  kind: 'text';
  format?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  defaultValue?: string | undefined;
}

export const ChatInputTextQuestionSchema = object<ChatInputTextQuestion>('ChatInputTextQuestion', {
  ...ChatInputQuestionBaseSchema.properties,
  kind: Type.Literal(ChatInputQuestionKind.Text),
  format: optional(Type.String()),
  min: optional(Type.Integer()),
  max: optional(Type.Integer()),
  defaultValue: optional(Type.String()),
});

export interface ChatInputNumberQuestion extends ChatInputQuestionBase {
  kind: 'number' | 'integer';
  min?: number | undefined;
  max?: number | undefined;
  defaultValue?: number | undefined;
}

export const ChatInputNumberQuestionSchema = object<ChatInputNumberQuestion>('ChatInputNumberQuestion', {
  ...ChatInputQuestionBaseSchema.properties,
  kind: Type.Enum([ChatInputQuestionKind.Number, ChatInputQuestionKind.Integer]),
  min: optional(Type.Number()),
  max: optional(Type.Number()),
  defaultValue: optional(Type.Number()),
});

export interface ChatInputBooleanQuestion extends ChatInputQuestionBase {
  kind: 'boolean';
  defaultValue?: boolean | undefined;
}

export const ChatInputBooleanQuestionSchema = object<ChatInputBooleanQuestion>('ChatInputBooleanQuestion', {
  ...ChatInputQuestionBaseSchema.properties,
  kind: Type.Literal(ChatInputQuestionKind.Boolean),
  defaultValue: optional(Type.Boolean()),
});

export interface ChatInputSingleSelectQuestion extends ChatInputQuestionBase {
  kind: 'single-select';
  options: ChatInputOption[];
  allowFreeformInput?: boolean | undefined;
}

export const ChatInputSingleSelectQuestionSchema = object<ChatInputSingleSelectQuestion>(
  'ChatInputSingleSelectQuestion',
  {
    ...ChatInputQuestionBaseSchema.properties,
    kind: Type.Literal(ChatInputQuestionKind.SingleSelect),
    options: Type.Array(ChatInputOptionSchema),
    allowFreeformInput: optional(Type.Boolean()),
  },
);

export interface ChatInputMultiSelectQuestion extends ChatInputQuestionBase {
  kind: 'multi-select';
  options: ChatInputOption[];
  allowFreeformInput?: boolean | undefined;
  min?: number | undefined;
  max?: number | undefined;
}

export const ChatInputMultiSelectQuestionSchema = object<ChatInputMultiSelectQuestion>('ChatInputMultiSelectQuestion', {
  ...ChatInputQuestionBaseSchema.properties,
  kind: Type.Literal(ChatInputQuestionKind.MultiSelect),
  options: Type.Array(ChatInputOptionSchema),
  allowFreeformInput: optional(Type.Boolean()),
  min: optional(Type.Integer()),
  max: optional(Type.Integer()),
});

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
