import { type EnumValue, enumSchema, object } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type Message, MessageSchema } from './message.js';

/** `steering` goes into the turn that runs, `queued` starts one of its own after it. */
export const PendingMessageKind = {
  Steering: 'steering',
  Queued: 'queued',
} as const;
export type PendingMessageKind = EnumValue<typeof PendingMessageKind>;
export const PendingMessageKindSchema = enumSchema('PendingMessageKind', PendingMessageKind);

/** A message that waits for its turn. */
export interface PendingMessage {
  /** Unique within the chat; chosen by the client. */
  id: string;
  /** What will be sent. */
  message: Message;
}

export const PendingMessageSchema = object<PendingMessage>('PendingMessage', {
  id: Type.String(),
  message: MessageSchema,
});
