import { type EnumValue, enumSchema, freeForm, object, optional } from '../../common/schema.js';
import {
  type AgentSelection,
  AgentSelectionSchema,
  type ModelSelection,
  ModelSelectionSchema,
} from '../../common/selection.js';
import { Type } from '../../common/type.js';
import { type MessageAttachment, MessageAttachmentSchema } from './attachment.js';

/** Who wrote a message. */
export const MessageKind = {
  User: 'user',
  Agent: 'agent',
  Tool: 'tool',
  SystemNotification: 'systemNotification',
  Automation: 'automation',
} as const;
export type MessageKind = EnumValue<typeof MessageKind>;
export const MessageKindSchema = enumSchema('MessageKind', MessageKind);

export interface MessageOrigin {
  kind: MessageKind;
}

export const MessageOriginSchema = object<MessageOrigin>('MessageOrigin', {
  kind: MessageKindSchema,
});

/** What was said to an agent, and by whom. */
export interface Message {
  text: string;
  origin: MessageOrigin;
  attachments?: MessageAttachment[] | undefined;
  model?: ModelSelection | undefined;
  agent?: AgentSelection | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const MessageSchema = object<Message>('Message', {
  text: Type.String(),
  origin: MessageOriginSchema,
  attachments: optional(Type.Array(MessageAttachmentSchema)),
  model: optional(ModelSelectionSchema),
  agent: optional(AgentSelectionSchema),
  _meta: optional(freeForm()),
});
