import type { Static } from 'typebox';
import { named, optional } from './schema.js';
import { Type } from './type.js';

export const ProtectedResourceMetadataSchema = named(
  'ProtectedResourceMetadata',
  Type.Object({
    resource: Type.String(),
    resource_name: optional(Type.String()),
    authorization_servers: optional(Type.Array(Type.String())),
    jwks_uri: optional(Type.String()),
    scopes_supported: optional(Type.Array(Type.String())),
    bearer_methods_supported: optional(Type.Array(Type.String())),
    resource_signing_alg_values_supported: optional(Type.Array(Type.String())),
    resource_documentation: optional(Type.String()),
    resource_policy_uri: optional(Type.String()),
    resource_tos_uri: optional(Type.String()),
    required: optional(Type.Boolean()),
  }),
);
/** What a token is needed for, and where to get one (RFC 9728). */
export type ProtectedResourceMetadata = Static<typeof ProtectedResourceMetadataSchema>;
