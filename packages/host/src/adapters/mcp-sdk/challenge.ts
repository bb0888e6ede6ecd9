import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import type { ProtectedResourceMetadata } from '@moorage/protocol';
import type { McpChallenge } from '../../ports/mcp.js';
import { bounded } from './bounded-body.js';
import { MAX_METADATA_BYTES, METADATA_MS } from './limits.js';

/** The token that a server asks for with this response; undefined if it does not ask for one. */
export async function challengeOf(response: Response, url: URL): Promise<McpChallenge | undefined> {
  const isScope = response.status === 403;
  if (response.status !== 401 && !isScope) return undefined;
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  if (isScope && error !== 'insufficient_scope') return undefined;
  const scopes = scope
    ?.split(' ')
    .filter((one) => one !== '')
    .slice(0, MAX_LIST);
  return {
    reason: isScope ? 'insufficientScope' : 'required',
    resource: await metadataOf(url, resourceMetadataUrl),
    ...(scopes && scopes.length > 0 && { scopes }),
  };
}

/** Uses the metadata address that a server gives only if it is on the server's own origin: it could make the host call others. */
async function metadataOf(url: URL, given: URL | undefined): Promise<ProtectedResourceMetadata> {
  const resourceMetadataUrl = given?.origin === url.origin ? given : undefined;
  try {
    const found = await discoverOAuthProtectedResourceMetadata(
      url,
      resourceMetadataUrl ? { resourceMetadataUrl } : {},
      fetchMetadata,
    );
    return readMetadata(found, url);
  } catch {
    return readMetadata({}, url);
  }
}

async function fetchMetadata(target: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(target, { ...init, redirect: 'error', signal: AbortSignal.timeout(METADATA_MS) });
  return bounded(response, MAX_METADATA_BYTES);
}

/** Without other information, the server itself issues its tokens. The query of its URL is left out: it may be secret. */
function readMetadata(found: object, url: URL): ProtectedResourceMetadata {
  const { resource, resource_name, authorization_servers, scopes_supported, resource_documentation } = found as Record<
    string,
    unknown
  >;
  const servers = texts(authorization_servers);
  const scopes = texts(scopes_supported);
  return {
    resource: ownResource(text(resource), url) ?? `${url.origin}${url.pathname}`,
    authorization_servers: servers.length > 0 ? servers : [url.origin],
    ...(text(resource_name) && { resource_name: text(resource_name) }),
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    ...(text(resource_documentation) && { resource_documentation: text(resource_documentation) }),
  };
}

/** Ignores a resource that is not the server's own: a server could get another one's tokens by claiming to be it. */
function ownResource(resource: string | undefined, url: URL): string | undefined {
  if (resource === undefined || !URL.canParse(resource)) return undefined;
  return checkResourceAllowed({ requestedResource: url, configuredResource: resource }) ? resource : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_CHARS) : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.slice(0, MAX_LIST).flatMap((item) => text(item) ?? []) : [];
}

/** UTF-16 units of one text, and texts in one list, in a server's metadata. */
const MAX_TEXT_CHARS = 2_000;
const MAX_LIST = 100;
