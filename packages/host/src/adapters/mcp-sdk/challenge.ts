import type { ProtectedResourceMetadata } from '@ahpd/protocol';
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { McpChallenge } from '../../ports/mcp.js';
import { bounded } from './bounded-body.js';
import { MAX_METADATA_BYTES, METADATA_MS } from './limits.js';

/** What a refusal of a server asks for; undefined when it is no question of tokens. */
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

/** A server can name any address; only its own is asked, or it could make the host call others. */
async function metadataOf(url: URL, named: URL | undefined): Promise<ProtectedResourceMetadata> {
  const resourceMetadataUrl = named?.origin === url.origin ? named : undefined;
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

/** A server that does not say who gives out its tokens does so itself. What may be secret in its address is left out. */
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

/** A server that claims to be another one would be given the other one's tokens. */
function ownResource(resource: string | undefined, url: URL): string | undefined {
  if (resource === undefined || !URL.canParse(resource)) return undefined;
  const { origin, pathname } = new URL(resource);
  return origin === url.origin && url.pathname.startsWith(pathname) ? resource : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_CHARS) : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.slice(0, MAX_LIST).flatMap((item) => text(item) ?? []) : [];
}

/** UTF-16 units of one text, and texts in one list, of what a server says about its tokens. */
const MAX_TEXT_CHARS = 2_000;
const MAX_LIST = 100;
