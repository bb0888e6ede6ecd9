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
  /** Unique within what it is asked with; the answer names it. */
  id: string;
  /** What the user chooses by. */
  label: string;
  /** What the choice means. */
  description?: string | undefined;
  /** Whether the agent suggests it. */
  recommended?: boolean | undefined;
}

export const ChatInputOptionSchema = object<ChatInputOption>('ChatInputOption', {
  id: Type.String(),
  label: Type.String(),
  description: optional(Type.String()),
  recommended: optional(Type.Boolean()),
});

export interface ChatInputQuestionBase {
  /** Unique within the request; answers are given by it. */
  id: string;
  /** A short heading. */
  title?: string | undefined;
  /** The question as the user reads it, in markdown or plain text. */
  message: string;
  /** Whether the request can be accepted only with an answer to it. */
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
  /** What the text should be, such as `email` or `uri`. */
  format?: string | undefined;
  /** The fewest characters. */
  min?: number | undefined;
  /** The most characters. */
  max?: number | undefined;
  /** What the field has at first. */
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
  /** Whether it may have decimals. */
  kind: 'number' | 'integer';
  /** The smallest number. */
  min?: number | undefined;
  /** The largest number. */
  max?: number | undefined;
  /** What the field has at first. */
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
  /** What is chosen at first. */
  defaultValue?: boolean | undefined;
}

export const ChatInputBooleanQuestionSchema = object<ChatInputBooleanQuestion>('ChatInputBooleanQuestion', {
  ...ChatInputQuestionBaseSchema.properties,
  kind: Type.Literal(ChatInputQuestionKind.Boolean),
  defaultValue: optional(Type.Boolean()),
});

export interface ChatInputSingleSelectQuestion extends ChatInputQuestionBase {
  kind: 'single-select';
  /** What can be chosen. */
  options: ChatInputOption[];
  /** Whether something else may be typed. */
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
  /** What can be chosen. */
  options: ChatInputOption[];
  /** Whether something else may be typed. */
  allowFreeformInput?: boolean | undefined;
  /** The fewest choices. */
  min?: number | undefined;
  /** The most choices. */
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
