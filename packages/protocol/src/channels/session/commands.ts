import type { Static } from 'typebox';
import { freeForm, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { SessionActiveClientSchema } from './active-client.js';

export const CreateSessionParamsSchema = named(
  'CreateSessionParams',
  Type.Object({
    channel: URISchema,
    provider: optional(Type.String()),
    workingDirectories: optional(Type.Array(URISchema)),
    config: optional(freeForm()),
    activeClient: optional(SessionActiveClientSchema),
    progressToken: optional(Type.String()),
    _meta: optional(freeForm()),
  }),
);
export type CreateSessionParams = Static<typeof CreateSessionParamsSchema>;

export const DisposeSessionParamsSchema = named(
  'DisposeSessionParams',
  Type.Object({
    channel: URISchema,
    _meta: optional(freeForm()),
  }),
);
export type DisposeSessionParams = Static<typeof DisposeSessionParamsSchema>;
