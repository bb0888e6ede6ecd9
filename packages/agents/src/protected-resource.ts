import type { ProtectedResourceMetadata } from '@ahpd/protocol';

/** What a configured agent needs a token for, and who gives such tokens. */
export interface ProtectedResource {
  /** As clients name it in `authenticate`: usually the URL of what is protected. */
  readonly resource: string;
  readonly name?: string | undefined;
  /** Issuers that clients may get a token from. */
  readonly authorizationServers?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly documentation?: string | undefined;
  /** False: the agent works without a token too. */
  readonly required?: boolean | undefined;
}

/** The same in the words of the wire (RFC 9728). */
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
