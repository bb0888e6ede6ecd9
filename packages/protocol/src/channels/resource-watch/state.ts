import { type EnumValue, enumSchema, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** What happened to a file or folder that is watched. */
export const ResourceChangeType = {
  Added: 'added',
  Updated: 'updated',
  Deleted: 'deleted',
} as const;
export type ResourceChangeType = EnumValue<typeof ResourceChangeType>;
export const ResourceChangeTypeSchema = enumSchema('ResourceChangeType', ResourceChangeType);

/** One change that a watch saw. */
export interface ResourceChange {
  /** The URI of the file or folder. */
  uri: URI;
  /** Whether it is new, changed or gone. */
  type: ResourceChangeType;
}

export const ResourceChangeSchema = object<ResourceChange>('ResourceChange', {
  uri: URISchema,
  type: ResourceChangeTypeSchema,
});

/** What a watch looks at. The changes it sees come as actions and are not kept. */
export interface ResourceWatchState {
  /** What is watched. */
  root: URI;
  /** Whether everything below a folder is meant, too. */
  recursive: boolean;
  /** Patterns of what is not reported. */
  excludes?: { items: string[] } | undefined;
  /** Patterns of what is reported; without it, everything. */
  includes?: { items: string[] } | undefined;
}

export const ResourceWatchStateSchema = object<ResourceWatchState>('ResourceWatchState', {
  root: URISchema,
  recursive: Type.Boolean(),
  excludes: optional(Type.Object({ items: Type.Array(Type.String()) })),
  includes: optional(Type.Object({ items: Type.Array(Type.String()) })),
});
