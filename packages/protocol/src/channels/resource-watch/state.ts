import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** What happened to a file or folder that is watched. */
export const ResourceChangeType = {
  Added: 'added',
  Updated: 'updated',
  Deleted: 'deleted',
} as const;
export type ResourceChangeType = EnumValue<typeof ResourceChangeType>;
export const ResourceChangeTypeSchema = enumSchema('ResourceChangeType', ResourceChangeType);

export const ResourceChangeSchema = named(
  'ResourceChange',
  Type.Object({
    uri: URISchema,
    type: ResourceChangeTypeSchema,
  }),
);
/** One change that a watch saw. */
export type ResourceChange = Static<typeof ResourceChangeSchema>;

export const ResourceWatchStateSchema = named(
  'ResourceWatchState',
  Type.Object({
    root: URISchema,
    recursive: Type.Boolean(),
    excludes: optional(Type.Object({ items: Type.Array(Type.String()) })),
    includes: optional(Type.Object({ items: Type.Array(Type.String()) })),
  }),
);
/** What a watch looks at. The changes it sees come as actions and are not kept. */
export type ResourceWatchState = Static<typeof ResourceWatchStateSchema>;
