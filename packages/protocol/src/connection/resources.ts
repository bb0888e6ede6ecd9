import type { Static } from 'typebox';
import { rootParamsMembers } from '../common/base-params.js';
import { ContentEncodingSchema } from '../common/content.js';
import { type EnumValue, enumSchema, named, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { URISchema } from '../common/uri.js';

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

export const DirectoryEntrySchema = named(
  'DirectoryEntry',
  Type.Object({
    name: Type.String(),
    type: Type.Enum(['file', 'directory']),
  }),
);
/** A name in a folder. */
export type DirectoryEntry = Static<typeof DirectoryEntrySchema>;

export const ResourceReadParamsSchema = named(
  'ResourceReadParams',
  Type.Object({
    ...rootParamsMembers,
    uri: Type.String(),
    encoding: optional(ContentEncodingSchema),
  }),
);
export type ResourceReadParams = Static<typeof ResourceReadParamsSchema>;

export const ResourceReadResultSchema = named(
  'ResourceReadResult',
  Type.Object({
    data: Type.String(),
    encoding: ContentEncodingSchema,
    contentType: optional(Type.String()),
  }),
);
export type ResourceReadResult = Static<typeof ResourceReadResultSchema>;

export const ResourceWriteParamsSchema = named(
  'ResourceWriteParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
    data: Type.String(),
    encoding: ContentEncodingSchema,
    contentType: optional(Type.String()),
    createOnly: optional(Type.Boolean()),
    mode: optional(ResourceWriteModeSchema),
    position: optional(Type.Integer()),
    ifMatch: optional(Type.String()),
  }),
);
export type ResourceWriteParams = Static<typeof ResourceWriteParamsSchema>;

export const ResourceWriteResultSchema = named('ResourceWriteResult', Type.Object({}));
export type ResourceWriteResult = Static<typeof ResourceWriteResultSchema>;

export const ResourceListParamsSchema = named(
  'ResourceListParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
  }),
);
export type ResourceListParams = Static<typeof ResourceListParamsSchema>;

export const ResourceListResultSchema = named(
  'ResourceListResult',
  Type.Object({
    entries: Type.Array(DirectoryEntrySchema),
  }),
);
export type ResourceListResult = Static<typeof ResourceListResultSchema>;

export const ResourceCopyParamsSchema = named(
  'ResourceCopyParams',
  Type.Object({
    ...rootParamsMembers,
    source: URISchema,
    destination: URISchema,
    failIfExists: optional(Type.Boolean()),
  }),
);
export type ResourceCopyParams = Static<typeof ResourceCopyParamsSchema>;

export const ResourceCopyResultSchema = named('ResourceCopyResult', Type.Object({}));
export type ResourceCopyResult = Static<typeof ResourceCopyResultSchema>;

export const ResourceMoveParamsSchema = named(
  'ResourceMoveParams',
  Type.Object({
    ...rootParamsMembers,
    source: URISchema,
    destination: URISchema,
    failIfExists: optional(Type.Boolean()),
  }),
);
export type ResourceMoveParams = Static<typeof ResourceMoveParamsSchema>;

export const ResourceMoveResultSchema = named('ResourceMoveResult', Type.Object({}));
export type ResourceMoveResult = Static<typeof ResourceMoveResultSchema>;

export const ResourceDeleteParamsSchema = named(
  'ResourceDeleteParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
    recursive: optional(Type.Boolean()),
  }),
);
export type ResourceDeleteParams = Static<typeof ResourceDeleteParamsSchema>;

export const ResourceDeleteResultSchema = named('ResourceDeleteResult', Type.Object({}));
export type ResourceDeleteResult = Static<typeof ResourceDeleteResultSchema>;

export const ResourceResolveParamsSchema = named(
  'ResourceResolveParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
    followSymlinks: optional(Type.Boolean()),
  }),
);
export type ResourceResolveParams = Static<typeof ResourceResolveParamsSchema>;

export const ResourceResolveResultSchema = named(
  'ResourceResolveResult',
  Type.Object({
    uri: URISchema,
    type: ResourceTypeSchema,
    size: optional(Type.Integer()),
    mtime: optional(Type.String()),
    ctime: optional(Type.String()),
    contentType: optional(Type.String()),
    etag: optional(Type.String()),
  }),
);
export type ResourceResolveResult = Static<typeof ResourceResolveResultSchema>;

export const ResourceMkdirParamsSchema = named(
  'ResourceMkdirParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
  }),
);
export type ResourceMkdirParams = Static<typeof ResourceMkdirParamsSchema>;

export const ResourceMkdirResultSchema = named('ResourceMkdirResult', Type.Object({}));
export type ResourceMkdirResult = Static<typeof ResourceMkdirResultSchema>;

export const ResourceRequestParamsSchema = named(
  'ResourceRequestParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
    read: optional(Type.Boolean()),
    write: optional(Type.Boolean()),
  }),
);
export type ResourceRequestParams = Static<typeof ResourceRequestParamsSchema>;

export const ResourceRequestResultSchema = named('ResourceRequestResult', Type.Object({}));
export type ResourceRequestResult = Static<typeof ResourceRequestResultSchema>;
