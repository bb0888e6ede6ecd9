import Type, { type Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from './schema.js';
import { URISchema } from './uri.js';

/** How the content of a file travels in JSON. */
export const ContentEncoding = {
  Base64: 'base64',
  Utf8: 'utf-8',
} as const;
export type ContentEncoding = EnumValue<typeof ContentEncoding>;
export const ContentEncodingSchema = enumSchema('ContentEncoding', ContentEncoding);

export const ContentRefSchema = named(
  'ContentRef',
  Type.Object({
    uri: URISchema,
    sizeHint: optional(Type.Integer()),
    contentType: optional(Type.String()),
  }),
);
/** Content that is fetched by `resourceRead` instead of travelling along. */
export type ContentRef = Static<typeof ContentRefSchema>;

export const FileEditSchema = named(
  'FileEdit',
  Type.Object({
    before: optional(Type.Object({ uri: URISchema, content: ContentRefSchema })),
    after: optional(Type.Object({ uri: URISchema, content: ContentRefSchema })),
    diff: optional(Type.Object({ added: optional(Type.Integer()), removed: optional(Type.Integer()) })),
  }),
);
/** A file before and after; without one of the two it was created or deleted. */
export type FileEdit = Static<typeof FileEditSchema>;
