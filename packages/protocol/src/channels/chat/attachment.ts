import type { Static } from 'typebox';
import { ContentRefSchema } from '../../common/content.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { TextRangeSchema, TextSelectionSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

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

export const MessageAttachmentBaseSchema = named(
  'MessageAttachmentBase',
  Type.Object({
    label: Type.String(),
    range: optional(TextRangeSchema),
    displayKind: optional(Type.String()),
    _meta: optional(freeForm()),
  }),
);
export type MessageAttachmentBase = Static<typeof MessageAttachmentBaseSchema>;

export const SimpleMessageAttachmentSchema = named(
  'SimpleMessageAttachment',
  Type.Object({
    ...MessageAttachmentBaseSchema.properties,
    type: Type.Literal(MessageAttachmentKind.Simple),
    modelRepresentation: optional(Type.String()),
  }),
);
export type SimpleMessageAttachment = Static<typeof SimpleMessageAttachmentSchema>;

export const MessageEmbeddedResourceAttachmentSchema = named(
  'MessageEmbeddedResourceAttachment',
  Type.Object({
    ...MessageAttachmentBaseSchema.properties,
    type: Type.Literal(MessageAttachmentKind.EmbeddedResource),
    data: Type.String(),
    contentType: Type.String(),
    selection: optional(TextSelectionSchema),
  }),
);
export type MessageEmbeddedResourceAttachment = Static<typeof MessageEmbeddedResourceAttachmentSchema>;

export const MessageResourceAttachmentSchema = named(
  'MessageResourceAttachment',
  Type.Object({
    ...MessageAttachmentBaseSchema.properties,
    ...ContentRefSchema.properties,
    type: Type.Literal(MessageAttachmentKind.Resource),
    selection: optional(TextSelectionSchema),
  }),
);
export type MessageResourceAttachment = Static<typeof MessageResourceAttachmentSchema>;

export const MessageAnnotationsAttachmentSchema = named(
  'MessageAnnotationsAttachment',
  Type.Object({
    ...MessageAttachmentBaseSchema.properties,
    type: Type.Literal(MessageAttachmentKind.Annotations),
    resource: URISchema,
    annotationIds: optional(Type.Array(Type.String())),
  }),
);
export type MessageAnnotationsAttachment = Static<typeof MessageAnnotationsAttachmentSchema>;

export const MessageChatAttachmentSchema = named(
  'MessageChatAttachment',
  Type.Object({
    ...MessageAttachmentBaseSchema.properties,
    type: Type.Literal(MessageAttachmentKind.Chat),
    resource: URISchema,
    /** The last turn that belongs to it; the host fills it in where it is absent. */
    endTurn: optional(Type.String()),
  }),
);
export type MessageChatAttachment = Static<typeof MessageChatAttachmentSchema>;

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
