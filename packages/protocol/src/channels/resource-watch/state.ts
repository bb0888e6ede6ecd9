import Type, { type Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { URISchema } from '../../common/uri.js';

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
export type ResourceWatchState = Static<typeof ResourceWatchStateSchema>;
