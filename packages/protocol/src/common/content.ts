import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from './schema.js';
import { Type } from './type.js';
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
    nonce: optional(Type.String()),
  }),
);
/** Content that is fetched by `resourceRead` instead of travelling along. */
export type ContentRef = Static<typeof ContentRefSchema>;

export const ToolInputSchema = named('ToolInput', Type.Union([Type.String(), ContentRefSchema]));
/** What a tool is called with: the text itself, or where to fetch it. */
export type ToolInput = Static<typeof ToolInputSchema>;

export const FileEditSideSchema = named(
  'FileEditSide',
  Type.Object({
    uri: URISchema,
    content: ContentRefSchema,
  }),
);
export type FileEditSide = Static<typeof FileEditSideSchema>;

export const FileEditDiffStatsSchema = named(
  'FileEditDiffStats',
  Type.Object({
    added: optional(Type.Integer()),
    removed: optional(Type.Integer()),
  }),
);
/** How many lines an edit adds and removes. */
export type FileEditDiffStats = Static<typeof FileEditDiffStatsSchema>;

export const FileEditSchema = named(
  'FileEdit',
  Type.Object({
    before: optional(FileEditSideSchema),
    after: optional(FileEditSideSchema),
    diff: optional(FileEditDiffStatsSchema),
  }),
);
/** A file before and after; without one of the two it was created or deleted. */
export type FileEdit = Static<typeof FileEditSchema>;

export const FileEditCollectionSchema = named(
  'FileEditCollection',
  Type.Object({
    items: Type.Array(FileEditSchema),
  }),
);
/** What a tool would change, shown before it may. */
export type FileEditCollection = Static<typeof FileEditCollectionSchema>;
