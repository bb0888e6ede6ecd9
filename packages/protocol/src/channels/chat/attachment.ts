import { type ContentRef, ContentRefSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, object, optional } from '../../common/schema.js';
import { type TextRange, TextRangeSchema, type TextSelection, TextSelectionSchema } from '../../common/text.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** What is attached to a message: text for the model, bytes, a file, annotations, or another conversation. */
export const MessageAttachmentKind = {
  Simple: 'simple',
  EmbeddedResource: 'embeddedResource',
  Resource: 'resource',
  Annotations: 'annotations',
  Chat: 'chat',
} as const;
export type MessageAttachmentKind = EnumValue<typeof MessageAttachmentKind>;
export const MessageAttachmentKindSchema = enumSchema('MessageAttachmentKind', MessageAttachmentKind);

export interface MessageAttachmentBase {
  /** What it is called beside the message. */
  label: string;
  /** Where in the text of the message it is mentioned. */
  range?: TextRange | undefined;
  /** A hint for how to show it, such as `file`. */
  displayKind?: string | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const MessageAttachmentBaseSchema = object<MessageAttachmentBase>('MessageAttachmentBase', {
  label: Type.String(),
  range: optional(TextRangeSchema),
  displayKind: optional(Type.String()),
  _meta: optional(freeForm()),
});

export interface SimpleMessageAttachment extends MessageAttachmentBase {
  type: 'simple';
  /** What the model gets in its place. */
  modelRepresentation?: string | undefined;
}

export const SimpleMessageAttachmentSchema = object<SimpleMessageAttachment>('SimpleMessageAttachment', {
  ...MessageAttachmentBaseSchema.properties,
  type: Type.Literal(MessageAttachmentKind.Simple),
  modelRepresentation: optional(Type.String()),
});

export interface MessageEmbeddedResourceAttachment extends MessageAttachmentBase {
  type: 'embeddedResource';
  /** The content in base64. */
  data: string;
  /** The media type of the content. */
  contentType: string;
  /** The lines or characters that are meant; all of it when absent. */
  selection?: TextSelection | undefined;
}

export const MessageEmbeddedResourceAttachmentSchema = object<MessageEmbeddedResourceAttachment>(
  'MessageEmbeddedResourceAttachment',
  {
    ...MessageAttachmentBaseSchema.properties,
    type: Type.Literal(MessageAttachmentKind.EmbeddedResource),
    data: Type.String(),
    contentType: Type.String(),
    selection: optional(TextSelectionSchema),
  },
);

export interface MessageResourceAttachment extends MessageAttachmentBase, ContentRef {
  type: 'resource';
  /** The lines or characters that are meant; all of it when absent. */
  selection?: TextSelection | undefined;
}

export const MessageResourceAttachmentSchema = object<MessageResourceAttachment>('MessageResourceAttachment', {
  ...MessageAttachmentBaseSchema.properties,
  ...ContentRefSchema.properties,
  type: Type.Literal(MessageAttachmentKind.Resource),
  selection: optional(TextSelectionSchema),
});

export interface MessageAnnotationsAttachment extends MessageAttachmentBase {
  type: 'annotations';
  /** The channel of the annotations. */
  resource: URI;
  /** Which of them; without it, all. */
  annotationIds?: string[] | undefined;
}

export const MessageAnnotationsAttachmentSchema = object<MessageAnnotationsAttachment>('MessageAnnotationsAttachment', {
  ...MessageAttachmentBaseSchema.properties,
  type: Type.Literal(MessageAttachmentKind.Annotations),
  resource: URISchema,
  annotationIds: optional(Type.Array(Type.String())),
});

export interface MessageChatAttachment extends MessageAttachmentBase {
  type: 'chat';
  /** The chat that is attached. */
  resource: URI;
  /** The last turn that belongs to it; the host fills it in where it is absent. */
  endTurn?: string | undefined;
}

export const MessageChatAttachmentSchema = object<MessageChatAttachment>('MessageChatAttachment', {
  ...MessageAttachmentBaseSchema.properties,
  type: Type.Literal(MessageAttachmentKind.Chat),
  resource: URISchema,
  endTurn: optional(Type.String()),
});

export const MessageAttachmentSchema = named(
  'MessageAttachment',
  Type.Union([
    SimpleMessageAttachmentSchema,
    MessageEmbeddedResourceAttachmentSchema,
    MessageResourceAttachmentSchema,
    MessageAnnotationsAttachmentSchema,
    MessageChatAttachmentSchema,
  ]),
);
/** What a message brings along. */
export type MessageAttachment = Static<typeof MessageAttachmentSchema>;
