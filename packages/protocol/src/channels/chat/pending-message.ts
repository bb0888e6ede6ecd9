import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { MessageSchema } from './message.js';

/** `steering` goes into the turn that runs, `queued` starts one of its own after it. */
export const PendingMessageKind = {
  Steering: 'steering',
  Queued: 'queued',
} as const;
export type PendingMessageKind = EnumValue<typeof PendingMessageKind>;
export const PendingMessageKindSchema = enumSchema('PendingMessageKind', PendingMessageKind);

export const PendingMessageSchema = named(
  'PendingMessage',
  Type.Object({
    id: Type.String(),
    message: MessageSchema,
  }),
);
/** A message that waits for its turn. */
export type PendingMessage = Static<typeof PendingMessageSchema>;
