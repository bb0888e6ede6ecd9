import type { Static } from 'typebox';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { AgentSelectionSchema, ModelSelectionSchema } from '../../common/selection.js';
import { Type } from '../../common/type.js';
import { MessageAttachmentSchema } from './attachment.js';

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

export const MessageOriginSchema = named(
  'MessageOrigin',
  Type.Object({
    kind: MessageKindSchema,
  }),
);
export type MessageOrigin = Static<typeof MessageOriginSchema>;

export const MessageSchema = named(
  'Message',
  Type.Object({
    text: Type.String(),
    origin: MessageOriginSchema,
    attachments: optional(Type.Array(MessageAttachmentSchema)),
    model: optional(ModelSelectionSchema),
    agent: optional(AgentSelectionSchema),
    _meta: optional(freeForm()),
  }),
);
/** What was said to an agent, and by whom. */
export type Message = Static<typeof MessageSchema>;
