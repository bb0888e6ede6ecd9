import { rootParamsMembers } from '../common/base-params.js';
import { type ContentEncoding, ContentEncodingSchema } from '../common/content.js';
import { type EnumValue, enumSchema, object, optional } from '../common/schema.js';
import { type AnyObject, Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';

/** Where written content goes in a file that exists. */
export const ResourceWriteMode = {
  Truncate: 'truncate',
  Append: 'append',
  Insert: 'insert',
} as const;
export type ResourceWriteMode = EnumValue<typeof ResourceWriteMode>;
export const ResourceWriteModeSchema = enumSchema('ResourceWriteMode', ResourceWriteMode);

/** What a path leads to. */
export const ResourceType = {
  File: 'file',
  Directory: 'directory',
  Symlink: 'symlink',
} as const;
export type ResourceType = EnumValue<typeof ResourceType>;
export const ResourceTypeSchema = enumSchema('ResourceType', ResourceType);

/** A name in a folder. */
export interface DirectoryEntry {
  /** The last part of its path. */
  name: string;
  /** What it is. */
  type: 'file' | 'directory';
}

export const DirectoryEntrySchema = object<DirectoryEntry>('DirectoryEntry', {
  name: Type.String(),
  type: Type.Enum(['file', 'directory']),
});

export interface ResourceReadParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: string;
  /** How `data` is written: as text, or in base64. */
  encoding?: ContentEncoding | undefined;
}

export const ResourceReadParamsSchema = object<ResourceReadParams>('ResourceReadParams', {
  ...rootParamsMembers,
  uri: Type.String(),
  encoding: optional(ContentEncodingSchema),
});

export interface ResourceReadResult {
  /** The bytes, as `encoding` says: text in UTF-8, or base64. */
  data: string;
  /** How `data` is written: as text, or in base64. */
  encoding: ContentEncoding;
  /** The media type of the content. */
  contentType?: string | undefined;
}

export const ResourceReadResultSchema = object<ResourceReadResult>('ResourceReadResult', {
  data: Type.String(),
  encoding: ContentEncodingSchema,
  contentType: optional(Type.String()),
});

export interface ResourceWriteParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: URI;
  /** The bytes, as `encoding` says: text in UTF-8, or base64. */
  data: string;
  /** How `data` is written: as text, or in base64. */
  encoding: ContentEncoding;
  /** The media type of the content. */
  contentType?: string | undefined;
  /** Whether to refuse if something is there. */
  createOnly?: boolean | undefined;
  /** Whether to replace, insert or append. */
  mode?: ResourceWriteMode | undefined;
  /** Where to insert, in bytes. */
  position?: number | undefined;
  /** The `etag` that it must still have. */
  ifMatch?: string | undefined;
}

export const ResourceWriteParamsSchema = object<ResourceWriteParams>('ResourceWriteParams', {
  ...rootParamsMembers,
  uri: URISchema,
  data: Type.String(),
  encoding: ContentEncodingSchema,
  contentType: optional(Type.String()),
  createOnly: optional(Type.Boolean()),
  mode: optional(ResourceWriteModeSchema),
  position: optional(Type.Integer()),
  ifMatch: optional(Type.String()),
});

export type ResourceWriteResult = AnyObject;

export const ResourceWriteResultSchema = object<ResourceWriteResult>('ResourceWriteResult', {});

export interface ResourceListParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: URI;
}

export const ResourceListParamsSchema = object<ResourceListParams>('ResourceListParams', {
  ...rootParamsMembers,
  uri: URISchema,
});

export interface ResourceListResult {
  /** The direct children of the folder. */
  entries: DirectoryEntry[];
}

export const ResourceListResultSchema = object<ResourceListResult>('ResourceListResult', {
  entries: Type.Array(DirectoryEntrySchema),
});

export interface ResourceCopyParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder to copy or move. */
  source: URI;
  /** Where to put it. */
  destination: URI;
  /** Whether to refuse if something is there. */
  failIfExists?: boolean | undefined;
}

export const ResourceCopyParamsSchema = object<ResourceCopyParams>('ResourceCopyParams', {
  ...rootParamsMembers,
  source: URISchema,
  destination: URISchema,
  failIfExists: optional(Type.Boolean()),
});

export type ResourceCopyResult = AnyObject;

export const ResourceCopyResultSchema = object<ResourceCopyResult>('ResourceCopyResult', {});

export interface ResourceMoveParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder to copy or move. */
  source: URI;
  /** Where to put it. */
  destination: URI;
  /** Whether to refuse if something is there. */
  failIfExists?: boolean | undefined;
}

export const ResourceMoveParamsSchema = object<ResourceMoveParams>('ResourceMoveParams', {
  ...rootParamsMembers,
  source: URISchema,
  destination: URISchema,
  failIfExists: optional(Type.Boolean()),
});

export type ResourceMoveResult = AnyObject;

export const ResourceMoveResultSchema = object<ResourceMoveResult>('ResourceMoveResult', {});

export interface ResourceDeleteParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: URI;
  /** Whether everything below a folder is meant, too. */
  recursive?: boolean | undefined;
}

export const ResourceDeleteParamsSchema = object<ResourceDeleteParams>('ResourceDeleteParams', {
  ...rootParamsMembers,
  uri: URISchema,
  recursive: optional(Type.Boolean()),
});

export type ResourceDeleteResult = AnyObject;

export const ResourceDeleteResultSchema = object<ResourceDeleteResult>('ResourceDeleteResult', {});

export interface ResourceResolveParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: URI;
  /** Whether to describe what a link leads to. */
  followSymlinks?: boolean | undefined;
}

export const ResourceResolveParamsSchema = object<ResourceResolveParams>('ResourceResolveParams', {
  ...rootParamsMembers,
  uri: URISchema,
  followSymlinks: optional(Type.Boolean()),
});

export interface ResourceResolveResult {
  /** The URI of the file or folder. */
  uri: URI;
  /** What it is. */
  type: ResourceType;
  /** Its size in bytes. */
  size?: number | undefined;
  /** When it was last changed, as an ISO time. */
  mtime?: string | undefined;
  /** When its content or its metadata last changed, as an ISO time. */
  ctime?: string | undefined;
  /** The media type of its content. */
  contentType?: string | undefined;
  /** Changes with its content. */
  etag?: string | undefined;
}

export const ResourceResolveResultSchema = object<ResourceResolveResult>('ResourceResolveResult', {
  uri: URISchema,
  type: ResourceTypeSchema,
  size: optional(Type.Integer()),
  mtime: optional(Type.String()),
  ctime: optional(Type.String()),
  contentType: optional(Type.String()),
  etag: optional(Type.String()),
});

export interface ResourceMkdirParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: URI;
}

export const ResourceMkdirParamsSchema = object<ResourceMkdirParams>('ResourceMkdirParams', {
  ...rootParamsMembers,
  uri: URISchema,
});

export type ResourceMkdirResult = AnyObject;

export const ResourceMkdirResultSchema = object<ResourceMkdirResult>('ResourceMkdirResult', {});

export interface ResourceRequestParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The URI of the file or folder. */
  uri: URI;
  /** Whether to read it. */
  read?: boolean | undefined;
  /** Whether to write it. */
  write?: boolean | undefined;
}

export const ResourceRequestParamsSchema = object<ResourceRequestParams>('ResourceRequestParams', {
  ...rootParamsMembers,
  uri: URISchema,
  read: optional(Type.Boolean()),
  write: optional(Type.Boolean()),
});

export type ResourceRequestResult = AnyObject;

export const ResourceRequestResultSchema = object<ResourceRequestResult>('ResourceRequestResult', {});
