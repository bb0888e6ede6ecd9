import { type EnumValue, enumSchema, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Why a tool call may run. */
export const ToolCallConfirmationReason = {
  NotNeeded: 'not-needed',
  UserAction: 'user-action',
  Setting: 'setting',
} as const;
export type ToolCallConfirmationReason = EnumValue<typeof ToolCallConfirmationReason>;
export const ToolCallConfirmationReasonSchema = enumSchema('ToolCallConfirmationReason', ToolCallConfirmationReason);

/** Why a tool call did not run, or its result was not used. */
export const ToolCallCancellationReason = {
  Denied: 'denied',
  Skipped: 'skipped',
  ResultDenied: 'result-denied',
} as const;
export type ToolCallCancellationReason = EnumValue<typeof ToolCallCancellationReason>;
export const ToolCallCancellationReasonSchema = enumSchema('ToolCallCancellationReason', ToolCallCancellationReason);

/** Whether an option that the user is offered lets a tool call run. */
export const ConfirmationOptionKind = {
  Approve: 'approve',
  Deny: 'deny',
} as const;
export type ConfirmationOptionKind = EnumValue<typeof ConfirmationOptionKind>;
export const ConfirmationOptionKindSchema = enumSchema('ConfirmationOptionKind', ConfirmationOptionKind);

export interface ConfirmationOption {
  /** Unique within what it is asked with; the answer names it. */
  id: string;
  /** The text of its button. */
  label: string;
  /** Whether it allows or denies. */
  kind: ConfirmationOptionKind;
  /** Options of the same number belong side by side. */
  group?: number | undefined;
}

export const ConfirmationOptionSchema = object<ConfirmationOption>('ConfirmationOption', {
  id: Type.String(),
  label: Type.String(),
  kind: ConfirmationOptionKindSchema,
  group: optional(Type.Integer()),
});
