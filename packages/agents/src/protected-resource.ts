import type { ProtectedResourceMetadata } from '@moorage/protocol';

/** A resource for which an agent needs a token, and who issues such tokens. */
export interface ProtectedResource {
  /** Its name in `authenticate`, usually its URL. */
  readonly resource: string;
  readonly name?: string | undefined;
  /** Where clients may get a token. */
  readonly authorizationServers?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly documentation?: string | undefined;
  /** False when the agent also works without a token. */
  readonly required?: boolean | undefined;
}

/** The same as clients see it (RFC 9728). */
export function metadataOf(protectedResource: ProtectedResource): ProtectedResourceMetadata {
  const { resource, name, authorizationServers, scopes, documentation, required } = protectedResource;
  return {
    resource,
    bearer_methods_supported: ['header'],
    ...(name !== undefined && { resource_name: name }),
    ...(authorizationServers && { authorization_servers: [...authorizationServers] }),
    ...(scopes && { scopes_supported: [...scopes] }),
    ...(documentation !== undefined && { resource_documentation: documentation }),
    ...(required === false && { required }),
  };
}
