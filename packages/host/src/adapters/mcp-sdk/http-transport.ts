import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError, type McpLaunch } from '../../ports/mcp.js';
import { bounded } from './bounded-body.js';
import { challengeOf } from './challenge.js';

/** A server behind HTTP: redirects stay on its origin, messages are bounded, and a 401 or 403 says which token it asks for. */
export function httpTransport(
  { url, headers = {} }: Extract<McpLaunch, { kind: 'http' }>,
  token: () => string | undefined,
): StreamableHTTPClientTransport {
  if (!URL.canParse(url)) throw new McpError({ kind: 'unreachable' }, 'its address is not a URL');
  const address = new URL(url);
  const authorized = async (target: string | URL, init?: RequestInit): Promise<Response> => {
    const all = new Headers(init?.headers);
    const bearer = token();
    if (bearer !== undefined) all.set('authorization', `Bearer ${bearer}`);
    const response = await fetch(target, { ...init, headers: all });
    const challenge = await challengeOf(response, address);
    if (!challenge) return bounded(response);
    await response.body?.cancel();
    throw new McpError({ kind: 'authRequired', challenge }, MESSAGES[challenge.reason]);
  };
  return new StreamableHTTPClientTransport(address, { fetch: authorized, requestInit: { headers: { ...headers } } });
}

const MESSAGES = {
  required: 'The server asks for authentication.',
  insufficientScope: 'The server asks for more permissions than the token has.',
};
