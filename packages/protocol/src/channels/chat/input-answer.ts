import { type EnumValue, enumSchema, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';

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

export interface ChatInputTextAnswerValue {
  kind: 'text';
  /** What was typed. */
  value: string;
}

export const ChatInputTextAnswerValueSchema = object<ChatInputTextAnswerValue>('ChatInputTextAnswerValue', {
  kind: Type.Literal(ChatInputAnswerValueKind.Text),
  value: Type.String(),
});

export interface ChatInputNumberAnswerValue {
  kind: 'number';
  /** The number. */
  value: number;
}

export const ChatInputNumberAnswerValueSchema = object<ChatInputNumberAnswerValue>('ChatInputNumberAnswerValue', {
  kind: Type.Literal(ChatInputAnswerValueKind.Number),
  value: Type.Number(),
});

export interface ChatInputBooleanAnswerValue {
  kind: 'boolean';
  /** Yes or no. */
  value: boolean;
}

export const ChatInputBooleanAnswerValueSchema = object<ChatInputBooleanAnswerValue>('ChatInputBooleanAnswerValue', {
  kind: Type.Literal(ChatInputAnswerValueKind.Boolean),
  value: Type.Boolean(),
});

export interface ChatInputSelectedAnswerValue {
  kind: 'selected';
  /** The id of the option. */
  value: string;
  /** What was typed besides, where that is allowed. */
  freeformValues?: string[] | undefined;
}

export const ChatInputSelectedAnswerValueSchema = object<ChatInputSelectedAnswerValue>('ChatInputSelectedAnswerValue', {
  kind: Type.Literal(ChatInputAnswerValueKind.Selected),
  value: Type.String(),
  freeformValues: optional(Type.Array(Type.String())),
});

export interface ChatInputSelectedManyAnswerValue {
  kind: 'selected-many';
  /** The ids of the options. */
  value: string[];
  /** What was typed besides, where that is allowed. */
  freeformValues?: string[] | undefined;
}

export const ChatInputSelectedManyAnswerValueSchema = object<ChatInputSelectedManyAnswerValue>(
  'ChatInputSelectedManyAnswerValue',
  {
    kind: Type.Literal(ChatInputAnswerValueKind.SelectedMany),
    value: Type.Array(Type.String()),
    freeformValues: optional(Type.Array(Type.String())),
  },
);

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

export interface ChatInputAnswered {
  /** Whether it is only a draft. */
  state: 'draft' | 'submitted';
  /** The answer. */
  value: ChatInputAnswerValue;
}

export const ChatInputAnsweredSchema = object<ChatInputAnswered>('ChatInputAnswered', {
  state: Type.Enum([ChatInputAnswerState.Draft, ChatInputAnswerState.Submitted]),
  value: ChatInputAnswerValueSchema,
});

export interface ChatInputSkipped {
  state: 'skipped';
  /** What was typed before the question was skipped. */
  freeformValues?: string[] | undefined;
}

export const ChatInputSkippedSchema = object<ChatInputSkipped>('ChatInputSkipped', {
  state: Type.Literal(ChatInputAnswerState.Skipped),
  freeformValues: optional(Type.Array(Type.String())),
});

export const ChatInputAnswerSchema = named(
  'ChatInputAnswer',
  Type.Union([ChatInputAnsweredSchema, ChatInputSkippedSchema]),
);
/** An answer to one of them. */
export type ChatInputAnswer = Static<typeof ChatInputAnswerSchema>;
