import type { Static } from 'typebox';
import { rootParamsMembers } from '../../common/base-params.js';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

export const CreateResourceWatchParamsSchema = named(
  'CreateResourceWatchParams',
  Type.Object({
    ...rootParamsMembers,
    uri: URISchema,
    recursive: optional(Type.Boolean()),
    excludes: optional(Type.Object({ items: Type.Array(Type.String()) })),
    includes: optional(Type.Object({ items: Type.Array(Type.String()) })),
  }),
);
export type CreateResourceWatchParams = Static<typeof CreateResourceWatchParamsSchema>;

export const CreateResourceWatchResultSchema = named(
  'CreateResourceWatchResult',
  Type.Object({
    channel: URISchema,
  }),
);
export type CreateResourceWatchResult = Static<typeof CreateResourceWatchResultSchema>;
