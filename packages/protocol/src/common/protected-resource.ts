import { object, optional } from './schema.js';
import { Type } from './type.js';

/** What a token is needed for, and where to get one (RFC 9728). */
export interface ProtectedResourceMetadata {
  /** The URL of what is protected (RFC 9728, as are the others). */
  resource: string;
  /** What the user is asked to sign in to. */
  resource_name?: string | undefined;
  /** Who issues tokens for it. */
  authorization_servers?: string[] | undefined;
  /** Where its public keys are. */
  jwks_uri?: string | undefined;
  /** What a token can allow. */
  scopes_supported?: string[] | undefined;
  /** How it takes tokens. */
  bearer_methods_supported?: string[] | undefined;
  /** How it signs its answers. */
  resource_signing_alg_values_supported?: string[] | undefined;
  /** A page about it for developers. */
  resource_documentation?: string | undefined;
  /** A page about its policy. */
  resource_policy_uri?: string | undefined;
  /** A page with its terms of service. */
  resource_tos_uri?: string | undefined;
  /** Whether nothing works without a token. */
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
