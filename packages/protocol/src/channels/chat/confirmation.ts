import Type, { type Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';

export const ToolCallConfirmationReason = {
  NotNeeded: 'not-needed',
  UserAction: 'user-action',
  Setting: 'setting',
} as const;
export type ToolCallConfirmationReason = EnumValue<typeof ToolCallConfirmationReason>;
export const ToolCallConfirmationReasonSchema = enumSchema('ToolCallConfirmationReason', ToolCallConfirmationReason);

export const ToolCallCancellationReason = {
  Denied: 'denied',
  Skipped: 'skipped',
  ResultDenied: 'result-denied',
} as const;
export type ToolCallCancellationReason = EnumValue<typeof ToolCallCancellationReason>;
export const ToolCallCancellationReasonSchema = enumSchema('ToolCallCancellationReason', ToolCallCancellationReason);

export const ConfirmationOptionKind = {
  Approve: 'approve',
  Deny: 'deny',
} as const;
export type ConfirmationOptionKind = EnumValue<typeof ConfirmationOptionKind>;
export const ConfirmationOptionKindSchema = enumSchema('ConfirmationOptionKind', ConfirmationOptionKind);

export const ConfirmationOptionSchema = named(
  'ConfirmationOption',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    kind: ConfirmationOptionKindSchema,
    group: optional(Type.Integer()),
  }),
);
export type ConfirmationOption = Static<typeof ConfirmationOptionSchema>;
