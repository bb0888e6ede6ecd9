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
  /** Who wrote it: a user, an agent, a tool, the host, or an automation. */
  kind: MessageKind;
}

export const MessageOriginSchema = object<MessageOrigin>('MessageOrigin', {
  kind: MessageKindSchema,
});

/** What was said to an agent, and by whom. */
export interface Message {
  /** What it says, as markdown. */
  text: string;
  /** Where it comes from. */
  origin: MessageOrigin;
  /** What goes with it. */
  attachments?: MessageAttachment[] | undefined;
  /** The model that answers it; without it, the one before. */
  model?: ModelSelection | undefined;
  /** The custom agent that answers it. */
  agent?: AgentSelection | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
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
