import { object, optional } from './schema.js';
import { Type } from './type.js';

/** What a token is needed for, and where to get one (RFC 9728). */
export interface ProtectedResourceMetadata {
  resource: string;
  resource_name?: string | undefined;
  authorization_servers?: string[] | undefined;
  jwks_uri?: string | undefined;
  scopes_supported?: string[] | undefined;
  bearer_methods_supported?: string[] | undefined;
  resource_signing_alg_values_supported?: string[] | undefined;
  resource_documentation?: string | undefined;
  resource_policy_uri?: string | undefined;
  resource_tos_uri?: string | undefined;
  required?: boolean | undefined;
}

export const ProtectedResourceMetadataSchema = object<ProtectedResourceMetadata>('ProtectedResourceMetadata', {
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
});
