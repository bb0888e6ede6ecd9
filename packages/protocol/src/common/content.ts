import { type EnumValue, enumSchema, named, object, optional } from './schema.js';
import { type Static, Type } from './type.js';
import { type URI, URISchema } from './uri.js';

/** How the content of a file travels in JSON. */
export const ContentEncoding = {
  Base64: 'base64',
  Utf8: 'utf-8',
} as const;
export type ContentEncoding = EnumValue<typeof ContentEncoding>;
export const ContentEncodingSchema = enumSchema('ContentEncoding', ContentEncoding);

/** Content that is fetched by `resourceRead` instead of travelling along. */
export interface ContentRef {
  /** What `resourceRead` takes. */
  uri: URI;
  /** About how many bytes it has. */
  sizeHint?: number | undefined;
  /** The media type of the content. */
  contentType?: string | undefined;
  /** Changes with the content. */
  nonce?: string | undefined;
}

export const ContentRefSchema = object<ContentRef>('ContentRef', {
  uri: URISchema,
  sizeHint: optional(Type.Integer()),
  contentType: optional(Type.String()),
  nonce: optional(Type.String()),
});

export const ToolInputSchema = named('ToolInput', Type.Union([Type.String(), ContentRefSchema]));
/** What a tool is called with: the text itself, or where to fetch it. */
export type ToolInput = Static<typeof ToolInputSchema>;

export interface FileEditSide {
  /** The file. */
  uri: URI;
  /** Its content at that time. */
  content: ContentRef;
}

export const FileEditSideSchema = object<FileEditSide>('FileEditSide', {
  uri: URISchema,
  content: ContentRefSchema,
});

/** How many lines an edit adds and removes. */
export interface FileEditDiffStats {
  /** Lines added. */
  added?: number | undefined;
  /** Lines removed. */
  removed?: number | undefined;
}

export const FileEditDiffStatsSchema = object<FileEditDiffStats>('FileEditDiffStats', {
  added: optional(Type.Integer()),
  removed: optional(Type.Integer()),
});

/** A file before and after; without one of the two it was created or deleted. */
export interface FileEdit {
  /** Without it, the file is new. */
  before?: FileEditSide | undefined;
  /** Without it, the file is deleted. */
  after?: FileEditSide | undefined;
  /** How much differs. */
  diff?: FileEditDiffStats | undefined;
}

export const FileEditSchema = object<FileEdit>('FileEdit', {
  before: optional(FileEditSideSchema),
  after: optional(FileEditSideSchema),
  diff: optional(FileEditDiffStatsSchema),
});

/** What a tool would change, shown before it may. */
export interface FileEditCollection {
  /** The files. */
  items: FileEdit[];
}

export const FileEditCollectionSchema = object<FileEditCollection>('FileEditCollection', {
  items: Type.Array(FileEditSchema),
});
